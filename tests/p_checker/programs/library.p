// Readers who borrow books: modules, specs, a scenario and tests with parameters.

param readers, books: int;
param patient: bool;

type Book = int;
type Loan = (reader: Shelf, book: Book);

event borrow: (from: Reader, book: Book);
event lent: Book;
event refused: Book;
event bring_back: Book;
event counted: (int, int);

eventset Answers = { lent, refused };

interface Shelf(int) receives borrow, bring_back;
interface Reader(Shelf) receives lent, refused;

machine Keeper
receives borrow, bring_back;
sends lent, refused, counted;
{
  var loans: map[Book, machine];
  var stock: int;

  start state Open {
    entry (n: int) { stock = n; }
    on borrow do lend;
    on bring_back do (book: Book) {
      if (book in loans) loans -= (book);
      announce counted, sizeof(loans), stock;
    }
  }

  fun lend(asked: (from: Reader, book: Book)) {
    if (asked.book in loans || asked.book >= stock) {
      send asked.from, refused, asked.book;
      return;
    }
    loans[asked.book] = asked.from;
    send asked.from, lent, asked.book;
    announce counted, (sizeof(keys(loans)), stock);
  }
}

machine Person
receives lent, refused;
sends borrow, bring_back;
{
  var shelf: Shelf;
  var tries: int;

  start state Ask {
    entry (s: Shelf) { shelf = s; goto Wait; }
  }

  hot state Wait {
    entry {
      send shelf, borrow, (from = this to Reader, book = choose(3));
    }
    on lent goto Reading;
    on refused do (book: Book) {
      tries = tries + 1;
      if (tries > 2 && !patient) goto Done;
      goto Wait;
    }
  }

  state Reading {
    entry (book: Book) {
      while (true) {
        if ($$) break;
      }
      send shelf, bring_back, book;
      goto Done;
    }
  }

  cold state Done { ignore lent, refused; }
}

machine Town {
  start state Build {
    entry {
      var shelf: Shelf;
      var i: int;
      shelf = new Shelf(books);
      while (i < readers) {
        new Reader(shelf);
        i = i + 1;
      }
    }
  }
}

spec Stock observes counted {
  start state Watch {
    on counted do (n: (int, int)) {
      assert n.0 <= n.1, format("{0} lent of {1}", n.0, n.1);
    }
  }
}

spec Served observes borrow, lent, refused {
  var waiting: int;
  start cold state Idle {
    on borrow goto Busy with { waiting = waiting + 1; }
    ignore lent, refused;
  }
  hot state Busy {
    on borrow do { waiting = waiting + 1; }
    on lent, refused do {
      waiting = waiting - 1;
      if (waiting == 0) goto Idle;
    }
  }
}

scenario TwoInARow observes lent {
  start state None { on lent goto One; }
  state One { on lent goto Two; }
  cold state Two { ignore lent; }
}

module people = { Person -> Reader };
module house = { Keeper -> Shelf };
module all = assert Stock, Served in (union people, house, { Town });

test small [main = Town]: all;
test param (readers in [1, 2], books in [1, 3]) assume (readers <= books)
  grid [main = Town]: all;
test param (readers in [1, 2], books in [2], patient in [true, false]) pairwise
  pairs [main = Town]: (union (compose house, people), { Town });
