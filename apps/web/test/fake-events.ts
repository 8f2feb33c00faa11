/** A stream of server-sent events that a test sends, in place of `EventSource`. */
export class FakeEvents extends EventTarget {
  static readonly CLOSED = 2;
  static newest: FakeEvents | null = null;
  readonly readyState = 1;
  readonly address: string;
  constructor(address: string) {
    super();
    this.address = address;
    FakeEvents.newest = this;
  }
  close(): void {}
  tell(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
}
