export class Client {
  put(id: string): void {}
}
export function useApi(): Client { return new Client() }
