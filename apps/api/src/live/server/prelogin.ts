/**
 * Facts about a server before any login: its version in the answer to PRELOGIN (MS-TDS 2.2.6.5), and the certificate of
 * its TLS handshake, whose records travel inside PRELOGIN packets. No login is sent.
 */
import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";

/** Ciphers and signatures that OpenSSL offers only when asked to: SHA-1, and keys under 2,048 bits. */
export const OLD_CRYPTOGRAPHY = "DEFAULT@SECLEVEL=0";

const PRELOGIN = 0x12;
const END_OF_MESSAGE = 1;
const HEADER_BYTES = 8;
const MOST_BODY = 4096 - HEADER_BYTES;
/** VERSION (0) and ENCRYPTION (1, on), then the end of the list; the version of a client means nothing here. */
const REQUEST = Buffer.from("00000b000601001100 01ff000000000000 01".replaceAll(" ", ""), "hex");

export interface PresentedCertificate {
  /** SHA-256 of the certificate, 64 hexadecimal digits, lower case. */
  readonly fingerprint: string;
  /** CN of its subject, or its first DNS name. */
  readonly name: string;
  readonly pem: string;
}

/** Answer of a server before the login. */
export interface ServerHello {
  /** "13.0.7029" */
  readonly version: string;
  /** Null when the handshake was not completed. */
  readonly certificate: PresentedCertificate | null;
}

/**
 * Asks a server for its version and its certificate.
 *
 * @param takesOld also a handshake with SHA-1 and short keys
 * @param limitMs for everything
 * @returns null when it does not answer PRELOGIN
 */
export async function askHello(
  { host, port }: { readonly host: string; readonly port: number },
  takesOld: boolean,
  limitMs: number,
): Promise<ServerHello | null> {
  const socket = connectTcp({ host, port });
  const limit = setTimeout(() => socket.destroy(), limitMs);
  try {
    const reply = new Packets(socket);
    socket.write(packet(REQUEST));
    const body = await reply.next();
    if (body === null) return null;
    const version = versionIn(body);
    return version === null
      ? null
      : { version, certificate: await certificateOf(socket, reply, host, takesOld) };
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

function packet(body: Buffer): Buffer {
  const header = Buffer.from([PRELOGIN, END_OF_MESSAGE, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(HEADER_BYTES + body.length, 2);
  return Buffer.concat([header, body]);
}

/** Major, minor and build of the VERSION option; null for something that is no answer to PRELOGIN. */
function versionIn(body: Buffer): string | null {
  if (body.length < 5 || body[0] !== 0) return null;
  const at = body.readUInt16BE(1);
  if (at + 4 > body.length) return null;
  return `${body.readUInt8(at)}.${body.readUInt8(at + 1)}.${body.readUInt16BE(at + 2)}`;
}

async function certificateOf(
  socket: Socket,
  packets: Packets,
  host: string,
  takesOld: boolean,
): Promise<PresentedCertificate | null> {
  const carrier = new Carrier(socket, packets);
  const secure = connectTls({
    socket: carrier,
    ...(isIP(host) ? {} : { servername: host }),
    ...(takesOld ? { ciphers: OLD_CRYPTOGRAPHY } : {}),
    maxVersion: "TLSv1.2",
    // This connection trusts no server: it only reads the certificate, and sends nothing.
    rejectUnauthorized: false,
  });
  const { promise, resolve } = Promise.withResolvers<PresentedCertificate | null>();
  secure.once("secureConnect", () => resolve(presented(secure)));
  secure.once("error", () => resolve(null));
  secure.once("close", () => resolve(null));
  try {
    return await promise;
  } finally {
    secure.destroy();
  }
}

function presented(secure: TLSSocket): PresentedCertificate | null {
  const certificate = secure.getPeerX509Certificate();
  if (certificate === undefined) return null;
  const alternative = /DNS:([^,]+)/u.exec(certificate.subjectAltName ?? "")?.[1];
  const common = /^CN=(.+)$/mu.exec(certificate.subject ?? "")?.[1];
  return {
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    name: alternative ?? common ?? "",
    pem: certificate.toString(),
  };
}

/** Bodies of the incoming packets, one after the other; null after the end. */
class Packets {
  #bytes: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    const wake = (): void => this.#wake?.();
    socket.on("data", (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      wake();
    });
    const end = (): void => {
      this.#ended = true;
      wake();
    };
    socket.on("error", end);
    socket.on("close", end);
    socket.on("end", end);
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      const length = this.#bytes.length < HEADER_BYTES ? Infinity : this.#bytes.readUInt16BE(2);
      if (length < HEADER_BYTES) return null;
      if (this.#bytes.length >= length) {
        const body = this.#bytes.subarray(HEADER_BYTES, length);
        this.#bytes = this.#bytes.subarray(length);
        return body;
      }
      if (this.#ended) return null;
      // oxlint-disable-next-line no-await-in-loop -- packets arrive one after the other
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** TLS records inside PRELOGIN packets. */
class Carrier extends Duplex {
  readonly #socket: Socket;
  readonly #packets: Packets;

  constructor(socket: Socket, packets: Packets) {
    super();
    this.#socket = socket;
    this.#packets = packets;
  }

  override _read(): void {
    void this.#packets.next().then((body) => this.push(body));
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    for (let at = 0; at < bytes.length; at += MOST_BODY) {
      this.#socket.write(packet(bytes.subarray(at, at + MOST_BODY)));
    }
    done();
  }
}
