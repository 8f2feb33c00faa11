/** A capture without the names of its servers, databases, files and itself. */
import {
  type CaptureFile,
  mapTexts,
  type replacedNames as Names,
  replacedNames,
  Summary,
} from "@aglens/contract";
import type { CommitClients } from "@aglens/ag-model/replication";
import { SUMMARY_FILE } from "../analysis/index.ts";
import type { CaptureToPack } from "./shape.ts";

type Packed = Pick<CaptureToPack, "capture" | "tables">;
type Hide = ReturnType<typeof Names>["hide"];

const MODEL = "model.json";

/**
 * Replaces names as links do (`Replica 1`, `Database 1`, `File 1`); ids, which are GUIDs, and times stay. Folders,
 * names of a topology and files that are not analyzed are skipped.
 */
export function withReplacedNames({ capture, tables }: Packed): Packed {
  const stored = read(tables[SUMMARY_FILE]) as Summary;
  const summary = { ...stored, name: capture.name };
  const { hide } = replacedNames(summary, capture.name);
  return {
    capture: {
      ...capture,
      name: hide(capture.name),
      verdict: hide(capture.verdict),
      files: capture.files
        .filter(({ role, kind }) => role !== "ignored" && kind === "xel")
        .map((file) => withoutNames(file, hide)),
      notes: capture.notes.map((note) => ({ ...note, text: hide(note.text) })),
    },
    tables: {
      ...tables,
      [SUMMARY_FILE]: written(mapTexts(Summary, summary, hide)),
      [MODEL]: written(modelWithout(read(tables[MODEL]) as StoredRest, hide)),
    },
  };
}

function withoutNames(file: CaptureFile, hide: Hide): CaptureFile {
  const { replica, ...given } = file.given;
  return {
    ...file,
    name: hide(file.name),
    folder: null,
    path: "",
    message: file.message === null ? null : hide(file.message),
    gaps: file.gaps.map((gap) => ({ ...gap, message: hide(gap.message) })),
    replicaNames: {},
    databaseNames: {},
    groupNames: [],
    given: replica === undefined ? given : { ...given, replica: hide(replica) },
    replica: hide(file.replica),
  };
}

/** The parts of a stored model that have names or sentences. */
interface StoredRest {
  readonly replicas: readonly { readonly name: string }[];
  readonly databases: readonly { readonly name: string }[];
  readonly files: readonly {
    readonly name: string;
    readonly gaps?: readonly { readonly message: string }[];
  }[];
  readonly clocks: readonly { readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly clients?: Pick<CommitClients, "applications" | "statements">;
}

function modelWithout(model: StoredRest, hide: Hide): StoredRest {
  const named = <T extends { readonly name: string }>(one: T): T => ({ ...one, name: hide(one.name) });
  return {
    ...model,
    replicas: model.replicas.map(named),
    databases: model.databases.map(named),
    files: model.files.map(({ gaps = [], ...file }) => ({
      ...named(file),
      gaps: gaps.map((gap) => ({ ...gap, message: hide(gap.message) })),
    })),
    clocks: model.clocks.map((clock) => ({ ...clock, reason: hide(clock.reason) })),
    warnings: model.warnings.map(hide),
    ...(model.clients && { clients: withoutTexts(model.clients) }),
  };
}

/** Applications and statements have a number for a name, by which commits refer to them. */
const withoutTexts = <T extends NonNullable<StoredRest["clients"]>>(clients: T): T => ({
  ...clients,
  applications: clients.applications.map((name, number) => (name === "" ? "" : `Application ${number}`)),
  statements: clients.statements.map((text, number) => (text === "" ? "" : `Statement ${number}`)),
});

const read = (bytes: Uint8Array = new Uint8Array()): unknown => JSON.parse(new TextDecoder().decode(bytes));
const written = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
