// A server that answers each request with the number it was asked with. It never ends.
type tRequest = (client: Client, number: int);

event eRequest: tRequest;
event eAnswer: int;

machine Server {
  start state Serving {
    on eRequest do (request: tRequest) {
      send request.client, eAnswer, request.number;
    }
  }
}
