import { type LazyScreen, lazyScreen } from "../frame/lazy-screen.tsx";
import type { CapturesScreenProps } from "../screens/captures/captures-screen.tsx";

/** The first screen, and a capture that receives files. */
export const UploadsScreen: LazyScreen<CapturesScreenProps> = lazyScreen(
  async () => (await import("../screens/captures/captures-screen.tsx")).CapturesScreen,
);
