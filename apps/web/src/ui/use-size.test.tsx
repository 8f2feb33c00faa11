import { render, screen } from "@testing-library/react";
import { createRef, type RefObject } from "react";
import { expect, test } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { useSize } from "./use-size.ts";

interface Props {
  readonly holder: RefObject<HTMLElement | null>;
  readonly onRender?: () => void;
  readonly shown?: boolean;
}

function Measured({ holder, onRender, shown = true }: Props) {
  const [measure, { width, height }] = useSize(holder);
  onRender?.();
  return (
    <main>
      {shown ? <section ref={measure} /> : null}
      <output>{`${width} x ${height}`}</output>
    </main>
  );
}

const shownSize = (): string | null => screen.getByRole("status").textContent;

test("the size of an element is known at its first layout and follows it", () => {
  const display = fakeScreen({ width: 640, height: 300 });
  const holder = createRef<HTMLElement>();
  render(<Measured holder={holder} />);
  expect(holder.current?.tagName).toBe("SECTION");
  expect(shownSize()).toBe("640 x 300");
  display.resize({ width: 500, height: 300 });
  expect(shownSize()).toBe("500 x 300");
  display.resize({ width: 500, height: 200 });
  expect(shownSize()).toBe("500 x 200");
});

test("a report of the same size renders nothing", () => {
  const display = fakeScreen({ width: 640, height: 300 });
  let renders = 0;
  render(<Measured holder={createRef()} onRender={() => renders++} />);
  display.resize({ width: 500, height: 300 });
  const before = renders;
  display.resize({ width: 500, height: 300 });
  display.resize({ width: 500, height: 300 });
  expect(renders).toBe(before);
});

test("an element that comes later is measured, and one that has gone is left alone", () => {
  const display = fakeScreen({ width: 640, height: 300 });
  const holder = createRef<HTMLElement>();
  const { rerender } = render(<Measured holder={holder} shown={false} />);
  expect(shownSize()).toBe("0 x 0");
  rerender(<Measured holder={holder} />);
  expect(shownSize()).toBe("640 x 300");
  rerender(<Measured holder={holder} shown={false} />);
  expect(holder.current).toBeNull();
  display.resize({ width: 10, height: 10 });
  expect(shownSize()).toBe("640 x 300");
});
