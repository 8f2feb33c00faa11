/** A bucket of S3, or of another server with its protocol: objects by their names below one prefix. */
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { problem } from "@aglens/engine/problems";
import type { Logger } from "pino";
import { semaphore } from "../../kernel/semaphore.ts";

/** An object as a list has it. */
export interface ObjectLine {
  readonly name: string;
  readonly bytes: number;
  /** Time when it was stored, ms since 1970 on the bucket's clock, to the second. */
  readonly storedAt: number;
}

/** Bytes of an object, at least one; a range beyond its end is cut. */
export interface ByteRange {
  readonly offset: number;
  /** Without it, all bytes from the offset on. */
  readonly length?: number;
}

/**
 * Objects are complete or absent, and the result of a finished call is there for the next one of any server. Every call
 * throws ProblemError `bucket-unreachable` where the bucket does not answer or refuses.
 */
export interface Bucket {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Stores the bytes of a file, which stays as it is meanwhile. */
  putFile(name: string, path: string, bytes: number): Promise<void>;
  /** Null when the object does not exist. @param range of its bytes; all without it */
  get(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Objects whose names begin so. */
  list(prefix: string): Promise<ObjectLine[]>;
  /** Folders below a prefix that ends with `/`, up to the next one: `b` for `a/b/c` below `a/`. */
  folders(prefix: string): Promise<string[]>;
  copy(from: ObjectLine, to: string): Promise<void>;
  /** No error for those that are not there. */
  remove(names: readonly string[]): Promise<void>;
  /** Throws the fault of the bucket. */
  check(): Promise<void>;
  close(): void;
}

/** Limits for the size of one request, and for the time to wait. */
export interface BucketLimits {
  /** A longer file is sent in parts of so many bytes. */
  readonly partBytes: number;
  /** A longer object is copied in parts: S3 copies no more in one call. */
  readonly mostCopiedBytes: number;
  /** A request without a byte for so long, ms, is cancelled. */
  readonly silentMs: number;
}

const MIB = 1024 * 1024;
/** A store may send nothing while it copies: a part is small enough for that. */
const LIMITS: BucketLimits = { partBytes: 16 * MIB, mostCopiedBytes: 256 * MIB, silentMs: 60_000 };
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MOST_PARTS = 10_000;
const PARTS_AT_ONCE = 3;
const NAMES_AT_ONCE = 1_000;

const CONNECT_MS = 5_000;
const ATTEMPTS = 4;

/**
 * The AWS SDK determines region, endpoint and credentials (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ACCESS_KEY_ID`,
 * profiles, roles).
 * @param place `s3://BUCKET/PREFIX`, the prefix may be absent
 */
export function openBucket(
  place: string,
  log: Pick<Logger, "warn">,
  limits: Partial<BucketLimits> = {},
): Bucket {
  const { partBytes, mostCopiedBytes, silentMs } = { ...LIMITS, ...limits };
  const { hostname: bucket, pathname } = new URL(place);
  const below = [pathname.replaceAll(/^\/+|\/+$/gu, ""), ""].join("/").replace(/^\//u, "");
  const client = new S3Client({
    // Most servers other than AWS have no host name for each bucket, and AWS accepts this form as well.
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
  });
  const at = (name: string): { readonly Bucket: string; readonly Key: string } => ({
    Bucket: bucket,
    Key: below + name,
  });
  const asked = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    try {
      return await call;
    } catch (error) {
      log.warn(wordsOf(error), "the bucket did not answer, or refused");
      throw problem(
        "bucket-unreachable",
        "AG Lens cannot reach the bucket of its files. Try again in a moment; the server's log says what is wrong.",
      );
    }
  };

  /** Stores an object part by part; when one fails, all are removed. */
  const inParts = async (
    name: string,
    bytes: number,
    mostBytes: number,
    sendPart: (
      part: { readonly UploadId: string | undefined; readonly PartNumber: number },
      from: number,
      to: number,
    ) => Promise<string | undefined>,
  ): Promise<void> => {
    const size = Math.max(mostBytes, Math.ceil(bytes / MOST_PARTS));
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at(name)));
    try {
      const inTurn = semaphore(PARTS_AT_ONCE);
      const sent = await Promise.allSettled(
        Array.from({ length: Math.ceil(bytes / size) }, (_, index) =>
          inTurn(async () => {
            const from = index * size;
            const PartNumber = index + 1;
            const ETag = await sendPart({ UploadId, PartNumber }, from, Math.min(from + size, bytes));
            return { PartNumber, ETag };
          }),
        ),
      );
      const failure = sent.find((part) => part.status === "rejected");
      if (failure !== undefined) throw failure.reason;
      const Parts = sent.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
      await client.send(
        new CompleteMultipartUploadCommand({ ...at(name), UploadId, MultipartUpload: { Parts } }),
      );
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...at(name), UploadId })).catch(() => {});
      throw error;
    }
  };

  const put = async (name: string, bytes: Uint8Array): Promise<void> => {
    await client.send(new PutObjectCommand({ ...at(name), Body: bytes }));
  };

  const putFile = async (name: string, path: string, bytes: number): Promise<void> => {
    const file = await open(path);
    try {
      if (bytes <= partBytes) return await asked(put(name, await bytesOf(file, 0, bytes)));
      await asked(
        inParts(name, bytes, partBytes, async (part, from, to) => {
          const Body = await bytesOf(file, from, to);
          return (await client.send(new UploadPartCommand({ ...at(name), ...part, Body }))).ETag;
        }),
      );
    } finally {
      await file.close();
    }
  };

  const copy = async (from: ObjectLine, to: string): Promise<void> => {
    const CopySource = `${bucket}/${(below + from.name).split("/").map(encodeURIComponent).join("/")}`;
    if (from.bytes <= mostCopiedBytes) {
      await client.send(new CopyObjectCommand({ ...at(to), CopySource }));
      return;
    }
    await inParts(to, from.bytes, mostCopiedBytes, async (part, first, end) => {
      const CopySourceRange = `bytes=${first}-${end - 1}`;
      const copied = await client.send(
        new UploadPartCopyCommand({ ...at(to), ...part, CopySource, CopySourceRange }),
      );
      return copied.CopyPartResult?.ETag;
    });
  };

  const get = async (name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> => {
    const Range = range && rangeHeader(range);
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...at(name), Range }));
      return Body === undefined ? null : guarded(Body as AsyncIterable<Uint8Array>, asked);
    } catch (error) {
      if (isMissing(error)) return null;
      if (isBehindEnd(error)) return nothing();
      throw error;
    }
  };

  /** All pages of a list. */
  const pages = async (prefix: string, Delimiter?: string) => {
    const found = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: below + prefix, Delimiter, ContinuationToken }),
      );
      found.push(page);
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return found;
  };

  const list = async (prefix: string): Promise<ObjectLine[]> =>
    (await pages(prefix)).flatMap(({ Contents = [] }) =>
      Contents.map(({ Key = "", Size = 0, LastModified }) => ({
        name: Key.slice(below.length),
        bytes: Size,
        storedAt: LastModified?.getTime() ?? 0,
      })),
    );

  const folders = async (prefix: string): Promise<string[]> =>
    (await pages(prefix, "/")).flatMap(({ CommonPrefixes = [] }) =>
      CommonPrefixes.map(({ Prefix = "" }) => Prefix.slice(below.length + prefix.length, -1)),
    );

  const remove = async (names: readonly string[]): Promise<void> => {
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      const Objects = names.slice(from, from + NAMES_AT_ONCE).map((name) => ({ Key: below + name }));
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      const failed = Errors.find(({ Code }) => Code !== "NoSuchKey");
      if (failed !== undefined) throw new Error(`${failed.Code}: ${failed.Message}`);
    }
  };

  return {
    put: (name, bytes) => asked(put(name, bytes)),
    putFile,
    get: (name, range) => asked(get(name, range)),
    list: (prefix) => asked(list(prefix)),
    folders: (prefix) => asked(folders(prefix)),
    copy: (from, to) => asked(copy(from, to)),
    remove: (names) => asked(remove(names)),
    check: async () => void (await asked(client.send(new HeadBucketCommand({ Bucket: bucket })))),
    close: () => client.destroy(),
  };
}

/** Bytes of a file in a buffer of their own, because they may be sent again after a failure. */
async function bytesOf(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(to - from);
  for (let filled = 0; filled < buffer.length;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) throw new RangeError("The file ends before its length.");
    filled += bytesRead;
  }
  return buffer;
}

async function* guarded(
  bytes: AsyncIterable<Uint8Array>,
  asked: <Answer>(call: Promise<Answer>) => Promise<Answer>,
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    for (let piece = await asked(pieces.next()); piece.done !== true; piece = await asked(pieces.next()))
      yield piece.value;
  } finally {
    // An object that is not read to its end ends its connection.
    await pieces.return?.();
  }
}

function rangeHeader({ offset, length }: ByteRange): string {
  return `bytes=${offset}-${length === undefined ? "" : offset + length - 1}`;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound");

const isBehindEnd = (error: unknown): boolean => error instanceof Error && error.name === "InvalidRange";

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Text of an error for the log: no header of a request, which is signed with credentials. */
function wordsOf(error: unknown): { readonly error: string; readonly status?: number } {
  if (!(error instanceof Error)) return { error: String(error) };
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return { error: `${error.name}: ${error.message}`, ...(status === undefined ? {} : { status }) };
}
