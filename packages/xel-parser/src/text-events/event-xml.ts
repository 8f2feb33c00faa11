/**
 * Events as XML: what `sys.fn_xe_file_target_read_file` returns in `event_data` (one element per event, any number of
 * them, with or without a root around them) and what the ring buffer target holds (`RingBufferTarget`).
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { XelEvent, XelValue } from "../format/index.ts";
import { ticksOfTime, valueOf, type TypeOf } from "./values.ts";

interface OpenField {
  readonly into: Record<string, XelValue>;
  readonly name: string;
  type: string | undefined;
  value: string | undefined;
  text: string | undefined;
}

interface OpenEvent {
  readonly event: XelEvent;
  field: OpenField | undefined;
}

/** What stopped the reading of XML, as a sentence for whoever owns the file. */
export interface XmlStop {
  readonly message: string;
  /** Characters before it. */
  readonly position: number;
}

// A character that XML 1.0 does not allow stands as a reference in what the server prints: it is data, not damage.
// Rows saved one after the other may each have their own declaration.
const HARMLESS = /character entity|XML declaration|expected (?:the name|one of)/u;

/** Longest value of a field, in characters: a tag that is never closed must not exhaust memory. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Takes XML in pieces and gives the events in it. Reading stops at the first place that is not well-formed. */
export class EventXmlParser {
  readonly #parser = new SaxesParser<{ fragment: true; position: true; xmlns: false }>({
    fragment: true,
    position: true,
    xmlns: false,
  });
  readonly #typeOf: TypeOf | undefined;
  #events: XelEvent[] = [];
  #event: OpenEvent | undefined;
  /** Which part of a field the characters belong to. */
  #part: "value" | "text" | undefined;
  /** Elements open inside the part: values of type xml hold some. */
  #depth = 0;
  #count = 0;
  /** The server says that it left out events of the ring buffer. */
  truncatedByServer = false;
  /** Set when the XML could not be read on. */
  stop: XmlStop | undefined;

  /** `typeOf` tells the types of fields where the XML does not, as that of files never does. */
  constructor(typeOf?: TypeOf) {
    this.#typeOf = typeOf;
    this.#parser.on("opentag", (tag) => this.#open(tag));
    this.#parser.on("closetag", (tag) => this.#close(tag.name));
    this.#parser.on("text", (text) => this.#add(this.#depth > 0 ? escaped(text) : text));
    this.#parser.on("cdata", (text) => this.#add(this.#depth > 0 ? escaped(text) : text));
    this.#parser.on("error", (error) => this.#fail(error));
  }

  /** An event has begun and not ended yet. */
  get insideEvent(): boolean {
    return this.#event !== undefined;
  }

  /** Reads a piece and returns the events that end in it. */
  push(text: string): XelEvent[] {
    this.#events = [];
    if (this.stop === undefined) this.#write(text);
    return this.#events;
  }

  #write(text: string): void {
    try {
      this.#parser.write(text);
    } catch (error) {
      // Only a comment or a tag of half a gigabyte is more than a string can hold.
      if (!(error instanceof RangeError)) throw error;
      this.#fail(new Error("a part of it is too long"));
    }
  }

  #open(tag: SaxesTagPlain): void {
    if (this.stop !== undefined) return;
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
    if (this.stop !== undefined) return;
    if (this.#depth > 0) {
      this.#depth--;
      this.#add(`</${name}>`);
    } else if (this.#part !== undefined) this.#part = undefined;
    else if (this.#event?.field !== undefined) {
      if (name === "data" || name === "action") this.#endField(this.#event, this.#event.field);
    } else if (name === "event" && this.#event !== undefined) {
      this.#events.push(this.#event.event);
      this.#event = undefined;
    }
  }

  #begin(attributes: Record<string, string>): OpenEvent | undefined {
    const { name = "", package: owner = "", timestamp = "" } = attributes;
    const ticks = ticksOfTime(timestamp);
    if (name === "" || ticks === undefined) {
      this.#fail(new Error(`an event "${name}" has the time "${timestamp}", which is none`));
      return undefined;
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
    return { event, field: undefined };
  }

  #endField(open: OpenEvent, { into, name, type, value = "", text }: OpenField): void {
    const known = type ?? this.#typeOf?.(open.event.name, name);
    // A map has its number as value and its text beside it; a number the map does not know has no text.
    if (text !== undefined) into[name] = text === "" ? value : text;
    else into[name] = valueOf(value, known);
    open.field = undefined;
  }

  #add(text: string): void {
    const field = this.#event?.field;
    if (this.#part === undefined || field === undefined || this.stop !== undefined) return;
    const value = (field[this.#part] ?? "") + text;
    field[this.#part] = value;
    if (value.length > MOST_CHARACTERS) this.#fail(new Error(`the value of ${field.name} is not closed`));
  }

  #fail({ message }: Error): void {
    if (HARMLESS.test(message)) return;
    this.stop ??= {
      message: message.replace(/^\d+:\d+: /u, "").replace(/\.$/u, ""),
      position: this.#parser.position,
    };
  }
}

function beginField(event: XelEvent, { name, attributes }: SaxesTagPlain): OpenField {
  const into = name === "data" ? event.fields : event.actions;
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
