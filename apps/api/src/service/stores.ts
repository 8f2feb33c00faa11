/** Stores of this service: files, records, and facts about itself. */
import type { Logger } from "pino";
import { datasetFolder } from "../dataset/dataset-folder.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../settings/config.ts";
import { openBlobs } from "../store/blobs.ts";
import { factsOfServer } from "../store/facts-of-server.ts";
import type { Facts } from "../store/facts-of-server.ts";
import { openLostAndFound } from "../store/lost-and-found.ts";
import { openSpace } from "../store/space.ts";
import type { DiskBytes, Space } from "../store/space.ts";
import { openUploadFiles } from "../uploads/upload-files.ts";
import type { OneOfSeveral } from "./one-of-several.ts";
import { openRecordStores } from "./open-record-stores.ts";
import type { RecordStores } from "./record-stores.ts";
import type { FileStores, SharedStores } from "./shared-stores.ts";

export interface Stores {
  /** Space of the disk with the data directory. */
  readonly space: Space;
  readonly files: FileStores;
  /** Stores of several servers in a bucket; null where this server is alone. */
  readonly shared: SharedStores | null;
  readonly records: RecordStores;
  /** Facts about this server alone. */
  readonly facts: Facts;
}

interface StoreParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly disk: (directory: string) => DiskBytes;
  readonly several: OneOfSeveral | undefined;
  readonly log: Logger;
}

/** @param closing closes opened parts @throws StartError */
export async function openStores(parts: StoreParts, closing: AsyncDisposableStack): Promise<Stores> {
  const { config, clock, disk, several, log } = parts;
  const { dataDirectory } = config;
  const space = openSpace(dataDirectory, config.keepFreeBytes, disk);
  const shared = (await several?.openStores({ dataDirectory, space, clock, log })) ?? null;
  closing.defer(() => shared?.close());
  const files = shared ?? (await filesOnDisk(dataDirectory, space, clock));
  const makeRoom = (): boolean => {
    log.error("the disk of the data directory is full: its reserve is used");
    return space.giveReserve();
  };
  const records = await openRecordStores(config, log, makeRoom, amongOthers(parts, shared));
  closing.defer(() => records.close());
  return { space, files, shared, records, facts: factsOfServer(records.catalogue, several?.name ?? null) };
}

const amongOthers = ({ config, several }: StoreParts, shared: SharedStores | null) =>
  several && shared ? { ...several, files: shared.place, keepsTables: config.keepsTables } : null;

async function filesOnDisk(directory: string, space: Space, clock: Clock): Promise<FileStores> {
  return {
    blobs: await openBlobs(directory, space),
    lostAndFound: openLostAndFound(directory),
    uploadFiles: await openUploadFiles(directory, space, clock),
    dataset: datasetFolder(directory),
  };
}
