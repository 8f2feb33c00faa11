/** Two servers of one test process: one catalog in PostgreSQL, one place for files, and a data directory for each. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OneOfSeveral } from "../src/service/one-of-several.ts";
import type { Parts } from "../src/service/open-service.ts";
import type { WorkTimes } from "../src/captures/work/leased-work.ts";
import type { Config } from "../src/settings/config.ts";
import { datasetFolder } from "../src/dataset/dataset-folder.ts";
import { openSharedStores } from "../src/service/shared-stores.ts";
import { openBlobs } from "../src/store/blobs.ts";
import { openLostAndFound } from "../src/store/lost-and-found.ts";
import { openUploadFiles } from "../src/uploads/upload-files.ts";
import { testService } from "./service.ts";
import type { TestService } from "./service.ts";
import { stubAnalyzer } from "./stub-analyzer.ts";
import type { StubAnalyzer } from "./stub-analyzer.ts";

export interface TestServer extends TestService {
  readonly name: string;
  readonly analyzer: StubAnalyzer;
}

export interface SharedPlace {
  readonly directory: string;
  readonly catalogue: string;
  /** Opens a server; one of a name that was closed has its data directory. */
  open(
    name: string,
    changes?: Partial<Config>,
    parts?: Partial<Parts>,
    times?: WorkTimes,
  ): Promise<TestServer>;
  /** Closes servers that are open, and deletes all directories. */
  end(): Promise<void>;
}

/** Checks often; but the server that is asked for an analysis gets it, and keeps it, also on a busy machine. */
export const QUICK: WorkTimes = {
  leaseMs: 1e6,
  headStartMs: 1e6,
  renewMs: 200,
  lookMs: 100,
  reportMs: 10,
  waitMs: 10,
};

/** Takes analyses when it has room, regardless of the server that was asked. */
export const EAGER: WorkTimes = { ...QUICK, headStartMs: 0 };
/** Sends no more messages after it has taken work. */
export const SILENT: WorkTimes = { ...QUICK, leaseMs: 300, renewMs: 1e6 };

/** Between tries of a bucket that is away. */
const QUICK_WAITS_MS = [200, 400, 1_000, 2_000, 4_000];

type OpenStores = OneOfSeveral["openStores"];

/** Files of captures in a folder that all servers have; the rest is each server's own, as tests that need no S3 server have it. */
const storesInFolder =
  (folder: string): OpenStores =>
  async ({ dataDirectory, space, clock }) => ({
    place: {
      notedId: () => readFile(join(folder, "..", "catalogue-id"), "utf8").catch(() => null),
      noteId: (id) => writeFile(join(folder, "..", "catalogue-id"), id),
      hasCaptures: () => Promise.resolve(false),
    },
    blobs: await openBlobs(dataDirectory, space, folder),
    lostAndFound: openLostAndFound(dataDirectory),
    uploadFiles: await openUploadFiles(dataDirectory, space, clock),
    dataset: datasetFolder(dataDirectory),
    copies: { captures: () => Promise.resolve([]), remove: () => Promise.resolve() },
    giveUp: () => Promise.resolve(null),
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });

/**
 * @param catalogue address of an empty place (`TestPostgres.newPlace`), or of the catalog for the files in `given`
 * @param given a directory that other processes use too
 * @param bucket empty place (`TestS3.newPlace`) for files; without one they are in a folder
 */
export async function sharedPlace(catalogue: string, given?: string, bucket?: string): Promise<SharedPlace> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), "aglens-servers-")));
  const openStores: OpenStores =
    bucket === undefined
      ? storesInFolder(join(directory, "blobs"))
      : (disk) => openSharedStores(bucket, 1e9, disk, QUICK_WAITS_MS);
  const open = new Set<TestService>();
  return {
    directory,
    catalogue,
    open: async (name, changes = {}, parts = {}, times = QUICK) => {
      const dataDirectory = join(directory, name);
      await mkdir(dataDirectory, { recursive: true });
      const analyzer = stubAnalyzer();
      const service = await testService({ dataDirectory, catalogue, ...changes }, analyzer, {
        several: { name, openStores, times },
        ...parts,
      });
      open.add(service);
      const close = async (): Promise<void> => {
        open.delete(service);
        await service.close();
      };
      return { ...service, close, end: close, name, analyzer };
    },
    end: async () => {
      for (const service of open) await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
