export class Reply {
  body(): string {
    return '';
  }
}
