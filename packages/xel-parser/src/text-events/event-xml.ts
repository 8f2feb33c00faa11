/**
 * Events as XML: the `event_data` of `sys.fn_xe_file_target_read_file` (one element per event, any number of them, with
 * or without a root around them) and the content of the ring buffer target (`RingBufferTarget`).
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { DEFAULT_LIMITS, type FileGap, type XelEvent, type XelValue } from "../format/index.ts";
import type { TextChunks } from "./decode-text.ts";
import type { Losses } from "./losses.ts";
import type { ReadTextOptions } from "./options.ts";
import { ticksOfTime, valueOf } from "./values.ts";

interface OpenField {
  readonly into: Record<string, XelValue>;
  readonly name: string;
  type: string | undefined;
  value: string | undefined;
  text: string | undefined;
}

interface OpenEvent {
  /** Undefined when the element has no valid name or time: it is skipped. */
  readonly event: XelEvent | undefined;
  /** First byte of its element. */
  readonly from: number;
  /** Reason why the element is no event. */
  readonly reason: string;
  field: OpenField | undefined;
}

// Assumption: the server prints a character that XML 1.0 does not allow as a reference (docs/evidence.md 6). It is
// data, not damage. Rows that were saved one after the other may each have a declaration.
const HARMLESS = /character entity|XML declaration|expected (?:the name|one of)/u;

const WRONG_TAG = /unexpected close tag/u;
const EVENT_TAG = "<event";

/** Gap for events that the server itself omitted from a ring buffer's XML. @param offset where that XML ends */
export const droppedByServerGap = (offset: number): FileGap => ({
  code: "truncated",
  offset,
  bytes: 0,
  message:
    "The ring buffer's XML doesn't contain all events (truncated=1). Use an event_file target to record all of them.",
});

/** Parses XML in pieces into events. Reading stops at the first place that is not well-formed. */
export class EventXmlParser {
  readonly #parser = new SaxesParser<{ fragment: true; position: true; xmlns: false }>({
    fragment: true,
    position: true,
    xmlns: false,
  });
  readonly #options: ReadTextOptions;
  readonly #losses: Losses;
  readonly #place: Place;
  #events: XelEvent[] = [];
  #event: OpenEvent | undefined;
  /** The event that ended with the tag read last. */
  #ended: OpenEvent | undefined;
  /** Which part of a field the characters belong to. */
  #part: "value" | "text" | undefined;
  /** Open elements inside the part: values of type xml contain some. */
  #depth = 0;
  #count = 0;
  /** Byte after the last event. */
  #read = 0;
  /** The text has ended; an error of the parser now means that the text was cut off. */
  #ending = false;
  #cut = false;
  /** First byte of the event's tag read last. */
  #tagStart = 0;
  /** The server marks the ring buffer's XML as incomplete (truncated). */
  truncatedByServer = false;
  /** Bytes at which the reading stopped, and why. */
  #stop: { readonly from: number; readonly reason: string } | undefined;

  /** `text` has the pieces; `options.typeOf` has types where the XML lacks them, as that of files always does. */
  constructor(text: TextChunks, losses: Losses, options: ReadTextOptions) {
    this.#place = new Place(text);
    this.#losses = losses;
    this.#options = options;
    this.#parser.on("opentagstart", (tag) => this.#startTag(tag.name));
    this.#parser.on("opentag", (tag) => this.#open(tag));
    this.#parser.on("closetag", (tag) => this.#close(tag.name));
    this.#parser.on("text", (part) => this.#add(this.#depth > 0 ? escaped(part) : part));
    this.#parser.on("cdata", (part) => this.#add(this.#depth > 0 ? escaped(part) : part));
    this.#parser.on("error", (error) => this.#fail(error));
  }

  /** Reads a piece and returns the events that end in it. */
  push(text: string): XelEvent[] {
    this.#events = [];
    this.#place.next(text);
    if (this.#stop === undefined) this.#write(text);
    return this.#events;
  }

  /** Reads the last piece, and reports losses at the end. */
  end(text: string): XelEvent[] {
    const events = this.push(text);
    this.#ending = true;
    this.#write(null);
    this.#reportLosses(this.#place.bytes);
    return events;
  }

  #reportLosses(size: number): void {
    if (this.#stop !== undefined) {
      const { from, reason } = this.#stop;
      const message = `The XML can't be read after byte ${from}: ${reason}.`;
      this.#losses.add({ code: "bad-event", offset: from, bytes: size - from, message });
    } else if (this.#event !== undefined) {
      const { from } = this.#event;
      const message = "The XML ends inside an event, which is lost. It may have been copied in part.";
      this.#losses.add({ code: "truncated", offset: from, bytes: size - from, message, eventsLost: 1 });
    } else if (this.#cut) {
      const message = "The XML ends inside a tag or an element. It may have been copied in part.";
      this.#losses.add({ code: "truncated", offset: this.#read, bytes: size - this.#read, message });
    }
    if (this.truncatedByServer) this.#losses.add(droppedByServerGap(size));
  }

  /** Null ends the text. */
  #write(text: string | null): void {
    try {
      this.#parser.write(text);
    } catch (error) {
      // Only a comment or a tag of half a gigabyte exceeds the length of a string.
      if (!(error instanceof RangeError)) throw error;
      this.#fail(new Error("a part of it is too long"));
    }
  }

  #startTag(name: string): void {
    this.#ended = undefined;
    if (this.#stop !== undefined || name !== "event") return;
    // The parser has read the character after the name.
    this.#tagStart = this.#place.byteAt(this.#parser.position - EVENT_TAG.length - 1);
  }

  #open(tag: SaxesTagPlain): void {
    if (this.#stop !== undefined) return;
    const { name, attributes } = tag;
    if (this.#part !== undefined) {
      this.#depth++;
      this.#add(openText(tag));
    } else if (this.#event === undefined) {
      if (name === "event") this.#event = this.#begin(attributes);
      else if (name === "RingBufferTarget") this.truncatedByServer ||= attributes["truncated"] === "1";
    } else if (this.#event.field === undefined) {
      if (name === "data" || name === "action") this.#event.field = beginField(this.#event.event, tag);
    } else if (name === "value" || name === "text") {
      this.#part = name;
      this.#event.field[name] = "";
    } else if (name === "type") {
      this.#event.field.type = attributes["name"];
    }
  }

  #close(name: string): void {
    if (this.#stop !== undefined) return;
    this.#ended = undefined;
    if (this.#depth > 0) {
      this.#depth--;
      this.#add(`</${name}>`);
    } else if (this.#part !== undefined) this.#part = undefined;
    else if (this.#event?.field !== undefined) {
      if (name === "data" || name === "action") this.#endField(this.#event, this.#event.field);
    } else if (name === "event" && this.#event !== undefined) {
      this.#endEvent(this.#event);
      this.#ended = this.#event;
      this.#event = undefined;
    }
  }

  #begin(attributes: Record<string, string>): OpenEvent {
    const { name = "", package: owner = "", timestamp = "" } = attributes;
    const ticks = ticksOfTime(timestamp);
    const from = this.#tagStart;
    if (name === "" || ticks === undefined) {
      const reason = name === "" ? "it has no name" : `its time is "${timestamp}"`;
      return { event: undefined, from, reason, field: undefined };
    }
    const event = {
      name,
      package: owner,
      uuid: "",
      ticks,
      offset: this.#count++,
      fields: record(),
      actions: record(),
    };
    return { event, from, reason: "", field: undefined };
  }

  #endEvent({ event, from, reason }: OpenEvent): void {
    this.#read = this.#place.byteAt(this.#parser.position);
    if (event !== undefined) {
      this.#events.push(event);
      return;
    }
    const message = `Can't read an event of the XML: ${reason}.`;
    this.#losses.add({ code: "bad-event", offset: from, bytes: this.#read - from, message, eventsLost: 1 });
  }

  #endField(open: OpenEvent, { into, name, type, value = "", text }: OpenField): void {
    const known = type ?? this.#options.typeOf?.(open.event?.name ?? "", name);
    // A map has its number as value and next to it its text; a number that is not in the map has no text.
    if (text !== undefined) into[name] = text === "" ? value : text;
    else into[name] = valueOf(value, known);
    open.field = undefined;
  }

  #add(text: string): void {
    const field = this.#event?.field;
    if (this.#part === undefined || field === undefined || this.#stop !== undefined) return;
    const value = (field[this.#part] ?? "") + text;
    field[this.#part] = value;
    const most = (this.#options.limits?.valueBytes ?? DEFAULT_LIMITS.valueBytes) / 2;
    if (value.length > most)
      this.#fail(new Error(`the value of ${field.name} has more than ${most} characters`));
  }

  #fail({ message }: Error): void {
    if (this.#ending) this.#cut = true;
    if (HARMLESS.test(message) || this.#stop !== undefined || this.#ending) return;
    // The parser treats a wrong closing tag as the right one before it reports it: that event has not ended.
    if (WRONG_TAG.test(message) && this.#ended?.event !== undefined) this.#events.pop();
    else this.#ended = undefined;
    // An event that has begun is lost as well.
    const from = (this.#event ?? this.#ended)?.from ?? this.#place.byteAt(this.#parser.position);
    this.#stop = { from, reason: message.replace(/^\d+:\d+: /u, "").replace(/\.$/u, "") };
  }
}

/** Where in its file's bytes a character of the text is that is being read. */
class Place {
  readonly #text: TextChunks;
  #piece = "";
  #pieceStart = 0;
  /** The last requested character, and its byte. */
  #char = 0;
  #byte = 0;

  constructor(text: TextChunks) {
    this.#text = text;
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#text.bytes;
  }

  /** The next piece of the text is read. */
  next(piece: string): void {
    this.byteAt(this.#pieceStart + this.#piece.length);
    this.#pieceStart += this.#piece.length;
    this.#piece = piece;
  }

  /** Byte of a character of this piece, or of an earlier one, if all characters between are ASCII. */
  byteAt(char: number): number {
    if (char < this.#char) {
      return this.#text.markBytes + this.#byte - this.#text.bytesOf(EVENT_TAG, 0, this.#char - char);
    }
    const { length } = this.#piece;
    const from = this.#char - this.#pieceStart;
    this.#byte += this.#text.bytesOf(this.#piece, from, Math.min(char - this.#pieceStart, length));
    this.#char = char;
    return this.#text.markBytes + this.#byte;
  }
}

function beginField(event: XelEvent | undefined, { name, attributes }: SaxesTagPlain): OpenField {
  const into = (name === "data" ? event?.fields : event?.actions) ?? record();
  return { into, name: attributes["name"] ?? "", type: undefined, value: undefined, text: undefined };
}

/** Names come from the file, so `__proto__` must be a name like any other. */
function record(): Record<string, XelValue> {
  return Object.create(null) as Record<string, XelValue>;
}

function openText({ name, attributes }: SaxesTagPlain): string {
  const listed = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(value).replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${listed.join("")}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
