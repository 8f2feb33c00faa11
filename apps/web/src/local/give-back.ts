/**
 * Frees memory at once: it is sent to a port without a listener. `ArrayBuffer.transfer` does not help here, because
 * Chromium keeps memory that another thread sent until it collects, and memory that counts as free does not bring a
 * collection nearer.
 */
export function giveBack(memory: readonly ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [...memory]);
  port1.close();
}
