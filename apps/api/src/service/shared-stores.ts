/** Stores that several servers share in a bucket. Loaded only where a bucket is set. */
import type { Logger } from "pino";
import type { Copies } from "../captures/records/deleted-copies.ts";
import type { Clock } from "../kernel/clock.ts";
import { bucketDataset } from "../dataset/bucket-dataset.ts";
import { datasetFolder } from "../dataset/dataset-folder.ts";
import type { DatasetStore } from "../dataset/dataset-folder.ts";
import { openBlobs } from "../store/blobs.ts";
import type { Blobs } from "../store/blobs.ts";
import { BlobCache } from "../store/bucket/blob-cache.ts";
import { bucketBlobs } from "../store/bucket/bucket-blobs.ts";
import { placeOf } from "../store/bucket/bucket-place.ts";
import { bucketLostAndFound } from "../store/bucket/bucket-lost-and-found.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import { StartError } from "../kernel/start-error.ts";
import type { FilePlace } from "../store/file-place.ts";
import type { LostAndFound } from "../store/lost-and-found.ts";
import type { PendingSpace, Space } from "../store/space.ts";
import { bucketUploadFiles } from "../uploads/bucket-upload-files.ts";
import { openUploadFiles } from "../uploads/upload-files.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";

/** Place of the files of captures, uploads and tables, of one server or of several. */
export interface FileStores {
  readonly blobs: Blobs;
  readonly lostAndFound: LostAndFound;
  readonly uploadFiles: UploadFiles;
  readonly dataset: DatasetStore;
}

/** File stores of several servers. */
export interface SharedStores extends FileStores {
  readonly place: FilePlace;
  readonly copies: Copies;
  /** Frees space on this server's disk: null when there is nothing more to delete. */
  giveUp(): Promise<PendingSpace | null>;
  /** @throws ProblemError `bucket-unreachable` */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** On the disk of this server. */
export interface OwnDisk {
  readonly dataDirectory: string;
  readonly space: Space;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Bytes that are freed at a time. */
const GIVEN_UP_BYTES = 256 * 1024 * 1024;

/**
 * @param place `s3://BUCKET/PREFIX`
 * @param cacheBytes limit for copies of the bucket's files on this server's disk
 * @param waitsMs where the bucket is unavailable for a short while (`patiently`)
 * @throws StartError
 */
export async function openSharedStores(
  place: string,
  cacheBytes: number,
  { dataDirectory, space, clock, log }: OwnDisk,
  waitsMs?: readonly number[],
): Promise<SharedStores> {
  const bucket = openBucket(place, log);
  await bucket.check().catch(() => {
    bucket.close();
    throw new StartError(
      "bucket-unreachable",
      "The bucket that AGLENS_BLOBS names does not answer, or not to this server's credentials; the log says what is wrong. See that AWS_REGION, AWS_ENDPOINT_URL_S3 and the credentials are set as the AWS SDK reads them.",
    );
  });
  const files = await openBlobs(dataDirectory, space);
  const cache = new BlobCache(files, cacheBytes, log);
  const blobs = bucketBlobs({ bucket, files, cache, waitsMs });
  return {
    place: placeOf(bucket),
    copies: {
      captures: () => files.captures(),
      remove: (captureId) => blobs.removeCopies(captureId),
    },
    blobs,
    lostAndFound: bucketLostAndFound(bucket),
    uploadFiles: bucketUploadFiles(bucket, await openUploadFiles(dataDirectory, space, clock)),
    dataset: bucketDataset(bucket, datasetFolder(dataDirectory)),
    giveUp: async () => {
      const bytes = await cache.giveUp(GIVEN_UP_BYTES);
      return bytes === 0 ? null : { bytes: 0, done: Promise.resolve() };
    },
    check: () => bucket.check(),
    close: async () => {
      await cache.settle();
      bucket.close();
    },
  };
}
