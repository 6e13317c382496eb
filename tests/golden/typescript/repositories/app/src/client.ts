export class Client {
  send(text: string) {}
}
