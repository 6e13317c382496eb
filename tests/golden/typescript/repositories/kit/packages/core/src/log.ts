export const level = 3;

export default function makeLogger(name: string) {
  return new Logger(name);
}

export class Logger {
  constructor(public name: string) {}
  write(text: string) {}
}
