// A client withdraws money again and again. The bank asks a database, which is a machine of its own. Each
// request has a number that no other one has, so that there is no end of states, and each has values of its
// own.

type tRequest = (from: Client, account: int, amount: int, number: int);
type tAnswer = (number: int, balance: int);

event eWithdraw: tRequest;
event eWithdrawn: tAnswer;
event eRead: (from: Bank, account: int);
event eBalance: int;
event eWrite: (account: int, balance: int);

machine Client {
  var bank: Bank;
  var balance: int;
  var number: int;

  start state Begins {
    entry (given: (bank: Bank, balance: int)) {
      bank = given.bank;
      balance = given.balance;
      goto Asks;
    }
  }

  state Asks {
    entry {
      number = number + 1;
      send bank, eWithdraw, (from = this, account = 1, amount = choose(balance) + 1, number = number);
    }
    on eWithdrawn do (answer: tAnswer) {
      assert answer.number == number, format ("answer {0} to request {1}", answer.number, number);
      balance = answer.balance;
      goto Asks;
    }
  }
}

machine Bank {
  var database: Database;

  start state Works {
    entry (balance: int) {
      database = new Database((account = 1, balance = balance));
    }
    on eWithdraw do (request: tRequest) {
      var balance: int;
      send database, eRead, (from = this, account = request.account);
      receive {
        case eBalance: (found: int) { balance = found; }
      }
      if (balance > request.amount) {
        balance = balance - request.amount;
        send database, eWrite, (account = request.account, balance = balance);
      }
      send request.from, eWithdrawn, (number = request.number, balance = balance);
    }
  }
}

machine Database {
  var balances: map[int, int];

  start state Works {
    entry (first: (account: int, balance: int)) {
      balances[first.account] = first.balance;
    }
    on eRead do (question: (from: Bank, account: int)) {
      send question.from, eBalance, balances[question.account];
    }
    on eWrite do (change: (account: int, balance: int)) {
      balances[change.account] = change.balance;
    }
  }
}

// Each request is answered.
spec Answered observes eWithdraw, eWithdrawn {
  start state Idle {
    on eWithdraw goto Asked;
  }
  hot state Asked {
    on eWithdrawn goto Idle;
  }
}

machine Main {
  start state Begins {
    entry {
      var balance: int;
      balance = choose(100) + 1;
      new Client((bank = new Bank(balance), balance = balance));
    }
  }
}

test tcBank [main = Main]: assert Answered in {Main, Client, Bank, Database};
