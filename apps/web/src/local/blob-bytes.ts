/**
 * Bytes of the browser's files. In a page that was opened from a disk, Safari's engine does not let threads read any
 * blob, not even their own: there the page reads for its threads.
 */

/** A thread's request that its page reads a blob; the bytes, or null, arrive at the port that is sent with it. */
export interface BlobToRead {
  readonly blobToRead: Blob;
}

/** True once the page has read a blob that this thread could not read. */
let readsByPage = false;

/** All bytes of a blob. @throws DOMException NotReadableError for a file that was changed or is gone */
export async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (readsByPage) return (await bytesByPage(blob)) ?? new Uint8Array(await blob.arrayBuffer());
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    const bytes = isThread() ? await bytesByPage(blob) : null;
    if (bytes === null) throw error;
    readsByPage = true;
    return bytes;
  }
}

const isThread = (): boolean => "WorkerGlobalScope" in globalThis;

function bytesByPage(blobToRead: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<Uint8Array<ArrayBuffer> | null>((resolve) => {
    port1.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | null>) => {
      port1.close();
      resolve(data && new Uint8Array(data));
    });
  });
  port1.start();
  const asked: BlobToRead = { blobToRead };
  // TypeScript declares either the page or the thread in one program, not both.
  (globalThis as unknown as Worker).postMessage(asked, [port2]);
  return answer;
}

/** Reads for a thread. @returns whether the message was such a question */
export function readForThread({ data, ports: [port] }: MessageEvent<unknown>): boolean {
  if (port === undefined || typeof data !== "object" || data === null || !("blobToRead" in data))
    return false;
  void (data as BlobToRead).blobToRead.arrayBuffer().then(
    (bytes) => port.postMessage(bytes, [bytes]),
    () => port.postMessage(null),
  );
  return true;
}
