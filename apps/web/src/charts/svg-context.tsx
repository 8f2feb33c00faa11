/** A canvas that records calls: drawings for the screen become SVG for a report or a picture file. */
import { type CSSProperties, Fragment, type ReactNode } from "react";

/** Width of words in a CSS font, px. */
export type Measure = (words: string, font: string) => number;

/**
 * Canvas members that the painters of this module use; a call of another member fails where the picture is drawn as
 * SVG.
 */
type Drawing = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "lineJoin"
  | "fillRect"
  | "strokeRect"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "rect"
  | "fill"
  | "stroke"
  | "clip"
  | "save"
  | "restore"
  | "setLineDash"
  | "fillText"
  | "strokeText"
>;

interface State {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  lineJoin: CanvasLineJoin;
  dash: readonly number[];
}

const FIRST_STATE: State = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  lineJoin: "miter",
  dash: [],
};

const ANCHORS: Readonly<Partial<Record<CanvasTextAlign, "middle" | "end">>> = {
  center: "middle",
  right: "end",
  end: "end",
};

/** A hundredth of a pixel is less than any screen shows. */
const figure = (px: number): string => String(Math.round(px * 100) / 100);

/** Shapes of one color that follow each other become one path: a timeline has thousands. */
interface Batch {
  readonly key: string;
  readonly element: (path: string) => ReactNode;
  readonly parts: string[];
  /** Right edge of the last rectangle: a rectangle that overlaps it would darken it a second time. */
  right: number;
}

class SvgGradient {
  readonly stops: (readonly [offset: number, color: string])[] = [];
  readonly id: string;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];

  constructor(id: string, from: readonly [number, number], to: readonly [number, number]) {
    this.id = id;
    this.from = from;
    this.to = to;
  }

  addColorStop(offset: number, color: string): void {
    this.stops.push([offset, color]);
  }
}

interface Group {
  readonly attributes: { readonly clipPath?: string; readonly transform?: string };
  readonly children: ReactNode[];
}

/**
 * Records the drawing calls of a painter, in CSS pixels. Colors are written unchanged, so that `var(--p-disk)` follows
 * the theme of the reader of the document.
 */
export class SvgContext implements Drawing {
  fillStyle = FIRST_STATE.fillStyle;
  strokeStyle = FIRST_STATE.strokeStyle;
  lineWidth = FIRST_STATE.lineWidth;
  globalAlpha = FIRST_STATE.globalAlpha;
  font = FIRST_STATE.font;
  textAlign = FIRST_STATE.textAlign;
  lineJoin = FIRST_STATE.lineJoin;
  #dash = FIRST_STATE.dash;
  #path: string[] = [];
  /** Radius of the circles, when the path has only circles. */
  #dot: number | null = null;
  #batch: Batch | null = null;
  readonly #definitions: ReactNode[] = [];
  /** Ids of the gradients among them. */
  readonly #defined = new Set<string>();
  readonly #groups: Group[] = [{ attributes: {}, children: [] }];
  readonly #saved: { readonly state: State; readonly groups: number }[] = [];
  readonly #id: string;
  readonly #measure: Measure;
  #made = 0;

  /** @param id begins the ids of its definitions: unique in the document that the picture becomes a part of */
  constructor(id: string, measure: Measure) {
    this.#id = id;
    this.#measure = measure;
  }

  /** The same, as painters ask for it. */
  get canvas2d(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D;
  }

  /** Returns the recorded drawing for the inside of an `svg` element. */
  elements(): ReactNode {
    this.#flush();
    while (this.#groups.length > 1) this.#closeGroup();
    return (
      <>
        {this.#definitions.length === 0 ? null : <defs>{this.#definitions}</defs>}
        {this.#groups[0].children}
      </>
    );
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width <= 0 || height <= 0) return;
    const batch = this.#batchOf(`fill ${this.#fillKey()}`, x, this.#fillElement());
    batch.parts.push(`M${figure(x)} ${figure(y)}h${figure(width)}v${figure(height)}h${figure(-width)}z`);
    batch.right = x + width;
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#strokePath(`M${figure(x)} ${figure(y)}h${figure(width)}v${figure(height)}h${figure(-width)}z`);
  }

  beginPath(): void {
    this.#path = [];
    this.#dot = null;
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${figure(x)} ${figure(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? "M" : "L"}${figure(x)} ${figure(y)}`);
  }

  closePath(): void {
    this.#path.push("z");
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`M${figure(x)} ${figure(y)}h${figure(width)}v${figure(height)}h${figure(-width)}z`);
  }

  /** A full circle, which is the only kind of arc that painters draw. */
  arc(x: number, y: number, radius: number, _from: number, _to: number): void {
    this.#dot = radius;
    this.#path.push(`M${figure(x)} ${figure(y)}h0`);
  }

  fill(): void {
    const path = this.#path.join("");
    if (path === "") return;
    if (this.#dot === null) this.#put(this.#fillElement()(path));
    else this.#dots(path, this.#dot);
  }

  stroke(): void {
    const path = this.#path.join("");
    if (path !== "") this.#strokePath(path);
  }

  clip(): void {
    this.#flush();
    const id = this.#nextId();
    this.#definitions.push(
      <clipPath key={id} id={id}>
        <path d={this.#path.join("")} />
      </clipPath>,
    );
    this.#groups.push({ attributes: { clipPath: `url(#${id})` }, children: [] });
  }

  /** Valid until the state is restored. */
  translate(x: number, y: number): void {
    this.#flush();
    const transform = `translate(${figure(x)} ${figure(y)})`;
    this.#groups.push({ attributes: { transform }, children: [] });
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, lineJoin } = this;
    const state = {
      fillStyle,
      strokeStyle,
      lineWidth,
      globalAlpha,
      font,
      textAlign,
      lineJoin,
      dash: this.#dash,
    };
    this.#saved.push({ state, groups: this.#groups.length });
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (saved === undefined) return;
    const { dash, ...state } = saved.state;
    Object.assign(this, state);
    this.#dash = dash;
    while (this.#groups.length > saved.groups) this.#closeGroup();
  }

  setLineDash(dash: readonly number[]): void {
    this.#dash = dash;
  }

  fillText(words: string, x: number, y: number): void {
    this.#put(
      <text {...this.#textPlace(x, y)} fill={this.#paint(this.fillStyle)} fillOpacity={this.#opacity()}>
        {words}
      </text>,
    );
  }

  strokeText(words: string, x: number, y: number): void {
    const stroke = this.#paint(this.strokeStyle);
    this.#put(
      <text
        {...this.#textPlace(x, y)}
        fill="none"
        stroke={stroke}
        strokeWidth={this.lineWidth}
        strokeLinejoin={this.lineJoin === "round" ? "round" : undefined}
        strokeOpacity={this.#opacity()}
      >
        {words}
      </text>,
    );
  }

  measureText(words: string): { readonly width: number } {
    return { width: this.#measure(words, this.font) };
  }

  createLinearGradient(x0: number, y0: number, x1: number, y1: number): CanvasGradient {
    return new SvgGradient(this.#nextId(), [x0, y0], [x1, y1]);
  }

  #nextId(): string {
    this.#made++;
    return `${this.#id}-${this.#made}`;
  }

  #opacity(): number | undefined {
    return this.globalAlpha < 1 ? this.globalAlpha : undefined;
  }

  /** A color as it is; a gradient by its id, defined where it is first used. */
  #paint(style: State["fillStyle"]): string {
    if (typeof style === "string") return style;
    const { id, from, to, stops } = style as unknown as SvgGradient;
    if (!this.#defined.has(id)) {
      this.#defined.add(id);
      this.#definitions.push(
        <linearGradient
          key={id}
          id={id}
          gradientUnits="userSpaceOnUse"
          x1={from[0]}
          y1={from[1]}
          x2={to[0]}
          y2={to[1]}
        >
          {stops.map(([offset, color]) => (
            <stop key={offset} offset={offset} style={{ stopColor: color }} />
          ))}
        </linearGradient>,
      );
    }
    return `url(#${id})`;
  }

  #fillKey(): string {
    return `${this.#paint(this.fillStyle)} ${this.globalAlpha}`;
  }

  #fillElement(): (path: string) => ReactNode {
    const fill = this.#paint(this.fillStyle);
    const opacity = this.#opacity();
    return (path) => <path d={path} fill={fill} fillOpacity={opacity} />;
  }

  #strokePath(path: string): void {
    const stroke = this.#paint(this.strokeStyle);
    this.#put(
      <path
        d={path}
        fill="none"
        stroke={stroke}
        strokeWidth={this.lineWidth}
        strokeOpacity={this.#opacity()}
        strokeDasharray={this.#dash.length === 0 ? undefined : this.#dash.join(" ")}
      />,
    );
  }

  /** Circles as dots of a round pen: a tenth of the size of two arcs each. */
  #dots(path: string, radius: number): void {
    const stroke = this.#paint(this.fillStyle);
    const opacity = this.#opacity();
    const batch = this.#batchOf(`dots ${radius} ${this.#fillKey()}`, Infinity, (dots) => (
      <path
        d={dots}
        fill="none"
        stroke={stroke}
        strokeWidth={2 * radius}
        strokeLinecap="round"
        strokeOpacity={opacity}
      />
    ));
    batch.parts.push(path);
  }

  #textPlace(
    x: number,
    y: number,
  ): { x: string; y: string; textAnchor?: "middle" | "end"; style: CSSProperties } {
    const anchor = ANCHORS[this.textAlign];
    return {
      x: figure(x),
      y: figure(y),
      ...(anchor === undefined ? {} : { textAnchor: anchor }),
      style: { font: this.font },
    };
  }

  #batchOf(key: string, left: number, element: Batch["element"]): Batch {
    const open = this.#batch;
    if (open !== null && open.key === key && (this.globalAlpha === 1 || left >= open.right)) return open;
    this.#flush();
    this.#batch = { key, element, parts: [], right: -Infinity };
    return this.#batch;
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = null;
    if (batch !== null) this.#put(batch.element(batch.parts.join("")));
  }

  #put(element: ReactNode): void {
    this.#flush();
    const { children } = this.#groups.at(-1)!;
    children.push(<Fragment key={children.length}>{element}</Fragment>);
  }

  #closeGroup(): void {
    this.#flush();
    const { attributes, children } = this.#groups.pop()!;
    if (children.length > 0) this.#put(<g {...attributes}>{children}</g>);
  }
}
