import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CaptureTab } from "../screens/capture-view/capture-context.ts";
import { useCameFrom } from "./analyzed-capture.tsx";

test("the screen before is known until another one is left, and there is none where the page began", () => {
  const { result, rerender } = renderHook(({ tab }: { tab: CaptureTab }) => useCameFrom(tab), {
    initialProps: { tab: "overview" },
  });
  expect(result.current).toBeNull();
  rerender({ tab: "sequence" });
  expect(result.current).toBe("overview");
  rerender({ tab: "sequence" });
  expect(result.current).toBe("overview");
  rerender({ tab: "raw-events" });
  expect(result.current).toBe("sequence");
});
