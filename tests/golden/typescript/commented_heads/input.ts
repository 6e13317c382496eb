export function send(
  url: string, // where to
  /* how often */ times: number,
  at = 'http://x/*', 
): void /* nothing */ {
  console.log(url, times, at);
}
