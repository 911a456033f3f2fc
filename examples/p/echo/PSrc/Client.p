// Asks again and again, and counts from 0 to 2 so that it has few states.
machine Client {
  var server: Server;
  var number: int;

  start state Init {
    entry (its_server: Server) {
      server = its_server;
      goto Asking;
    }
  }

  state Asking {
    entry {
      send server, eRequest, (client = this, number = number);
    }
    on eAnswer do (answer: int) {
      assert answer == number, format("asked {0}, and was answered {1}", number, answer);
      number = (number + 1) % 3;
      goto Asking;
    }
  }
}
