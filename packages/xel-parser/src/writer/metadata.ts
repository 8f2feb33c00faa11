/** Metadata: packages with their events, actions, maps and types (docs/reference/xel-format.md 3). */
import { BASE_TYPES, declaredSize, FORMAT_VERSION, Kind, relativeId, typeId } from "./base-types.ts";
import { uuidFromName } from "./guid.ts";
import type { EventLayout } from "./layout.ts";
import type { Output } from "./output.ts";
import type { WriterEvent, WriterMap, WriterPackage } from "./schema.ts";

const TICKS_PER_SECOND = 10_000_000;
const PACKAGE0_GUID = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";

interface ObjectHeader {
  readonly version?: number;
  readonly capabilities: readonly [generic: number, specific: number];
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
}

function putObjectHeader(
  out: Output,
  { version = 0, capabilities, id, name, description = "" }: ObjectHeader,
): void {
  out.u16(version);
  out.u8(capabilities[0]);
  out.u8(capabilities[1]);
  out.u32(id);
  out.text(name);
  out.text(description);
}

/** Static attributes UUID and VERSION; the first one is the event's id (docs/reference/xel-format.md 3.3). */
function putStaticAttributes(out: Output, uuid: string): void {
  out.u32(typeId("guid_ptr"));
  out.text("UUID");
  out.guid(uuid);
  out.text("Globally Unique ID");
  out.u32(typeId("uint8"));
  out.text("VERSION");
  out.u64(1);
  out.text("Event schema version");
}

function putEvent(out: Output, event: WriterEvent, layout: EventLayout): void {
  const { name, description } = event;
  putObjectHeader(out, { version: FORMAT_VERSION, capabilities: [2, 0], id: layout.id, name, description });
  out.u16(2);
  out.u16(0);
  out.u16(layout.columns.length);
  out.u16(layout.columns.filter((column) => !column.variable).length);
  putStaticAttributes(out, event.uuid ?? uuidFromName(event.name));
  for (const column of layout.columns) {
    out.u32(column.type);
    out.text(column.name);
    out.u16(column.offset);
    out.u16(0);
    out.text("");
  }
}

function putMapObject(out: Output, map: WriterMap, index: number, packageId: number): void {
  const id = relativeId(Kind.map, index, packageId);
  putObjectHeader(out, { capabilities: [0, map.bitMask ? 1 : 0], id, name: map.name });
  out.u8(map.bytes);
  out.u16(map.entries.length);
  for (const [code, text] of map.entries) {
    out.u32(code);
    out.text(text);
  }
}

function putTypes(out: Output, guidsInPlace: boolean): void {
  BASE_TYPES.forEach(([name], index) => {
    putObjectHeader(out, { capabilities: [0, 0], id: relativeId(Kind.type, index, 0), name });
    out.u8(declaredSize(index, guidsInPlace));
  });
}

const COLLECTION_OBJECT_SIZES = [72, 72, 56, 48, 80, 96, 40, 32];
const OBJECT_ALIGNMENT = 16;
/** Where a record's size is in it. */
const SIZE_OFFSET = 2;

/** One package record (docs/reference/xel-format.md 3.1); package0 contains the types. */
export function putPackage(
  out: Output,
  pack: WriterPackage,
  layouts: readonly EventLayout[],
  options: FileFacts,
): void {
  const start = out.at;
  putPackageHead(out, pack, options);
  putObjects(out, pack, layouts, options);
  const length = Math.ceil((out.at - start) / OBJECT_ALIGNMENT) * OBJECT_ALIGNMENT;
  out.zeros(start + length - out.at);
  out.view.setUint32(start + SIZE_OFFSET, length, true);
}

/** Clock, header and collection heads of a record, whose size is not known yet. */
function putPackageHead(out: Output, pack: WriterPackage, { fileGuid, startTicks }: FileFacts): void {
  const isBase = isBasePackage(pack);
  out.u16(FORMAT_VERSION);
  out.u32(0);
  out.guid(fileGuid);
  out.u16(0);
  out.u16(1);
  out.u16(0);
  out.u32(0);
  out.u64(startTicks);
  out.u64(TICKS_PER_SECOND);
  const id = relativeId(Kind.package, 0, pack.id);
  const { name, description } = pack;
  putObjectHeader(out, { version: FORMAT_VERSION, capabilities: [0, isBase ? 1 : 0], id, name, description });
  out.guid(isBase ? PACKAGE0_GUID : uuidFromName(pack.name));
  out.guid(uuidFromName(`${pack.name}.module`));
  out.u16(0);
  out.u32(COLLECTION_OBJECT_SIZES.length);
  const { events = [], actions = [], maps = [] } = pack;
  const counts = [events.length, actions.length, 0, maps.length, 0, 0, isBase ? BASE_TYPES.length : 0, 0];
  counts.forEach((count, kind) => {
    out.u32(kind);
    out.u16(0);
    out.u16(COLLECTION_OBJECT_SIZES[kind]);
    out.u32(count);
  });
}

/** The objects of a record: of each kind their number first, also when it is 0. */
function putObjects(
  out: Output,
  pack: WriterPackage,
  layouts: readonly EventLayout[],
  { guidsInPlace }: FileFacts,
): void {
  const { events = [], actions = [], maps = [] } = pack;
  out.u32(events.length);
  events.forEach((event, index) => putEvent(out, event, layouts[index]));
  out.u32(actions.length);
  actions.forEach((action, index) => {
    const id = relativeId(Kind.action, index, pack.id);
    putObjectHeader(out, { capabilities: [2, 0], id, name: action.name });
    out.u32(typeId(action.type));
    out.u32(0);
    out.u32(0);
  });
  out.u32(maps.length);
  maps.forEach((map, index) => putMapObject(out, map, index, pack.id));
  out.u32(isBasePackage(pack) ? BASE_TYPES.length : 0);
  if (isBasePackage(pack)) putTypes(out, guidsInPlace);
}

function isBasePackage({ id }: WriterPackage): boolean {
  return id === 0;
}

/** Clock and id that all packages of a file share, and how it stores GUIDs. */
export interface FileFacts {
  readonly startTicks: bigint;
  readonly fileGuid: string;
  readonly guidsInPlace: boolean;
}
