import { type ReactNode, Suspense, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { lazyScreen } from "./frame/lazy-screen.ts";
import { Message, Page } from "./frame/page.tsx";
import { ScreenBoundary } from "./frame/screen-boundary.tsx";
import { CapturePage } from "./pages/capture-page.tsx";
import { LinkPage } from "./pages/link-page.tsx";
import { CapturesScreen } from "./screens/captures/captures-screen.tsx";
import { applyTheme } from "./state/theme.ts";
import { useTheme } from "./state/use-theme.ts";

const OverviewScreen = lazyScreen(
  async () => (await import("./screens/overview/overview-screen.tsx")).OverviewScreen,
);
const TimelineScreen = lazyScreen(
  async () => (await import("./screens/timeline/timeline-screen.tsx")).TimelineScreen,
);
const SequenceScreen = lazyScreen(
  async () => (await import("./screens/sequence/sequence-screen.tsx")).SequenceScreen,
);
const WaitingScreen = lazyScreen(
  async () => (await import("./screens/waiting/waiting-screen.tsx")).WaitingScreen,
);
const WhatIfScreen = lazyScreen(
  async () => (await import("./screens/what-if/what-if-screen.tsx")).WhatIfScreen,
);
const LiveScreen = lazyScreen(async () => (await import("./screens/live/live-screen.tsx")).LiveScreen);
const AttachScreen = lazyScreen(async () => (await import("./screens/live/attach-screen.tsx")).AttachScreen);

/** Routes of the product, and the theme that every one of them has. */
export function App(): ReactNode {
  const [location] = useLocation();
  useAppliedTheme();
  return (
    <ScreenBoundary isPage resetKeys={[location]}>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <CapturesScreen />
          </Route>
          <Route path="/captures/:id">
            {({ id }) => <CapturePage key={id} id={id} tab="overview" Screen={OverviewScreen} />}
          </Route>
          <Route path="/captures/:id/timeline">
            {({ id }) => <CapturePage key={id} id={id} tab="timeline" Screen={TimelineScreen} />}
          </Route>
          <Route path="/captures/:id/sequence">
            {({ id }) => <CapturePage key={id} id={id} tab="sequence" Screen={SequenceScreen} />}
          </Route>
          <Route path="/captures/:id/waiting">
            {({ id }) => <CapturePage key={id} id={id} tab="waiting" Screen={WaitingScreen} />}
          </Route>
          <Route path="/captures/:id/what-if">
            {({ id }) => <CapturePage key={id} id={id} tab="what-if" Screen={WhatIfScreen} />}
          </Route>
          <Route path="/live">
            <AttachScreen />
          </Route>
          <Route path="/live/:id">{({ id }) => <LiveScreen key={id} id={id} />}</Route>
          <Route path="/l/:linkId">{({ linkId }) => <LinkPage id={linkId} />}</Route>
          <Route>
            <NoSuchPage />
          </Route>
        </Switch>
      </Suspense>
    </ScreenBoundary>
  );
}

function NoSuchPage(): ReactNode {
  return (
    <Page title="No such page">
      <Message
        title="There is no page at this address."
        detail="Check the link, or start from your captures."
      />
    </Page>
  );
}

function useAppliedTheme(): void {
  const { theme } = useTheme();
  useEffect(() => {
    applyTheme(theme);
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => applyTheme(theme);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [theme]);
}
