/**
 * A canvas context that draws nothing and logs its calls: call, place, color, opacity and clip. Numbers are rounded to
 * a thousandth of a pixel.
 */

/** One drawing call. */
export interface Drawn {
  readonly call:
    | "fillRect"
    | "strokeRect"
    | "clearRect"
    | "fill"
    | "stroke"
    | "fillText"
    | "strokeText"
    | "drawImage";
  /** Left, top, width and height of a box; left and baseline of a text; place and size of an image. */
  readonly at: readonly number[];
  readonly text?: string;
  /** The path that is filled or stroked: "M 1 2 L 3 4". */
  readonly path?: string;
  readonly color: string;
  /** 0..1. */
  readonly alpha: number;
  readonly lineWidth?: number;
  readonly dash?: string;
  readonly font?: string;
  /** Paths that the drawing is cut to, outermost first. */
  readonly clip: readonly string[];
}

/** Properties of a context. */
interface Style {
  fillStyle: unknown;
  strokeStyle: unknown;
  globalAlpha: number;
  lineWidth: number;
  font: string;
  textAlign: string;
}

interface State {
  readonly style: Style;
  readonly dash: readonly number[];
  readonly clip: readonly string[];
  /** Place of the origin for boxes and texts; paths are only drawn without it. */
  readonly origin: readonly [x: number, y: number];
}

const FIRST: State = {
  style: {
    fillStyle: "#000000",
    strokeStyle: "#000000",
    globalAlpha: 1,
    lineWidth: 1,
    font: "10px sans-serif",
    textAlign: "left",
  },
  dash: [],
  clip: [],
  origin: [0, 0],
};

/** Width of every letter in the log, px: the average of a font of 11 px. */
export const LETTER_PX = 6;

class LoggedGradient {
  readonly #stops: string[] = [];
  readonly #ends: readonly number[];
  constructor(...ends: readonly number[]) {
    this.#ends = ends;
  }
  addColorStop(offset: number, color: string): void {
    this.#stops.push(`${round(offset)} ${color}`);
  }
  toString(): string {
    return `gradient ${this.#ends.map(round).join(" ")}: ${this.#stops.join(", ")}`;
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000 + 0;

export interface DrawLog {
  readonly context: CanvasRenderingContext2D;
  /** Calls since the last time this was called, in order. */
  readonly take: () => Drawn[];
}

/** A context with an empty log; `canvas` is the value of its `canvas` property. */
export function drawLog(canvas: unknown = null): DrawLog {
  let log: Drawn[] = [];
  let state = FIRST;
  const saved: State[] = [];
  let path: string[] = [];

  const add = (
    call: Drawn["call"],
    at: readonly number[],
    style: unknown,
    more: Partial<Drawn> = {},
  ): void => {
    log.push({
      call,
      at: at.map((value, i) => round(value + (state.origin[i] ?? 0))),
      color: String(style),
      alpha: round(state.style.globalAlpha),
      clip: state.clip,
      ...more,
    });
  };
  const stroked = (): Partial<Drawn> => ({
    lineWidth: state.style.lineWidth,
    ...(state.dash.length > 0 ? { dash: state.dash.join(" ") } : {}),
  });
  const written = (text: string): Partial<Drawn> => ({ text, font: state.style.font });
  const step = (name: string, ...at: readonly number[]): void =>
    void path.push([name, ...at.map(round)].join(" "));
  const startOf = (text: string, x: number): number => {
    const width = text.length * LETTER_PX;
    if (state.style.textAlign === "center") return x - width / 2;
    return state.style.textAlign === "right" ? x - width : x;
  };

  const calls = {
    canvas,
    save: () => void saved.push(state),
    restore: () => void (state = saved.pop() ?? state),
    setTransform: () => undefined,
    translate: (x: number, y: number) =>
      void (state = { ...state, origin: [state.origin[0] + x, state.origin[1] + y] }),
    beginPath: () => void (path = []),
    moveTo: (x: number, y: number) => step("M", x, y),
    lineTo: (x: number, y: number) => step("L", x, y),
    closePath: () => step("Z"),
    rect: (x: number, y: number, width: number, height: number) => step("R", x, y, width, height),
    arc: (x: number, y: number, radius: number) => step("A", x, y, radius),
    clip: () => void (state = { ...state, clip: [...state.clip, path.join(" ")] }),
    setLineDash: (dash: readonly number[]) => void (state = { ...state, dash }),
    createLinearGradient: (...ends: readonly number[]) => new LoggedGradient(...ends),
    measureText: (text: string) => ({ width: text.length * LETTER_PX }),
    clearRect: (...at: readonly number[]) => add("clearRect", at, "none"),
    fillRect: (...at: readonly number[]) => add("fillRect", at, state.style.fillStyle),
    strokeRect: (...at: readonly number[]) => add("strokeRect", at, state.style.strokeStyle, stroked()),
    fill: () => add("fill", [], state.style.fillStyle, { path: path.join(" ") }),
    stroke: () => add("stroke", [], state.style.strokeStyle, { path: path.join(" "), ...stroked() }),
    fillText: (text: string, x: number, y: number) =>
      add("fillText", [startOf(text, x), y], state.style.fillStyle, written(text)),
    strokeText: (text: string, x: number, y: number) =>
      add("strokeText", [startOf(text, x), y], state.style.strokeStyle, { ...written(text), ...stroked() }),
    drawImage: (_: unknown, ...at: readonly number[]) => add("drawImage", at, "image"),
  };
  const context: object = new Proxy<Record<PropertyKey, unknown>>(calls, {
    get: (target, name) => (name in state.style ? state.style[name as keyof Style] : target[name]),
    set: (_, name, value) => {
      if (!(name in state.style)) throw new Error(`The log of draw calls does not know "${String(name)}".`);
      state = { ...state, style: { ...state.style, [name]: value } };
      return true;
    },
  });
  return {
    context: context as CanvasRenderingContext2D,
    take: () => {
      const taken = log;
      log = [];
      return taken;
    },
  };
}

/** A call in one line: `fillRect 0 4 10 20 --p-disk 0.92`; full opacity is skipped. */
export function inOneLine({ call, at, text, path, color, alpha }: Drawn): string {
  const what = [
    call,
    text === undefined ? "" : `"${text}"`,
    path ?? "",
    ...at,
    color,
    alpha === 1 ? "" : alpha,
  ];
  return what.filter((part) => part !== "").join(" ");
}
