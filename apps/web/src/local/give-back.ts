/**
 * Gives memory back at once: it is sent to a port that nobody listens to. `ArrayBuffer.transfer` would not do here, as Chromium keeps what
 * came from another thread until it collects, and what it believes to be free brings no collection nearer.
 */
export function giveBack(memory: readonly ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [...memory]);
  port1.close();
}
