import { type ReactNode, useEffect } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { pagesTexts as texts } from "./messages/pages.ts";
import { type LazyScreen, lazyScreen } from "./frame/lazy-screen.tsx";
import { Message, Page } from "./frame/page.tsx";
import { TermTip } from "./frame/term-tip.tsx";
import { ScreenBoundary } from "./frame/screen-boundary.tsx";
import { AccessGate } from "./pages/access-gate.tsx";
import { CapturePage } from "./pages/capture-page.tsx";
import { LinkPage } from "./pages/link-page.tsx";
import { UploadsScreen } from "./pages/uploads-screen.ts";
import type { CaptureTab } from "./screens/capture-view/capture-context.ts";
import { HasGuide } from "./ui/term.tsx";
import { ROUTING } from "./state/navigate.ts";
import { useAppliedTheme } from "./state/use-theme.ts";

const OverviewScreen = lazyScreen(
  async () => (await import("./screens/overview/overview-screen.tsx")).OverviewScreen,
);
const TimelineScreen = lazyScreen(
  async () => (await import("./screens/timeline/timeline-screen.tsx")).TimelineScreen,
);
const SequenceScreen = lazyScreen(
  async () => (await import("./screens/sequence/sequence-screen.tsx")).SequenceScreen,
);
const DistributionScreen = lazyScreen(
  async () => (await import("./screens/distribution/distribution-screen.tsx")).DistributionScreen,
);
const WaitingScreen = lazyScreen(
  async () => (await import("./screens/waiting/waiting-screen.tsx")).WaitingScreen,
);
const CompareScreen = lazyScreen(
  async () => (await import("./screens/compare/compare-screen.tsx")).CompareScreen,
);
const WhatIfScreen = lazyScreen(
  async () => (await import("./screens/what-if/what-if-screen.tsx")).WhatIfScreen,
);
const RawEventsScreen = lazyScreen(
  async () => (await import("./screens/raw/raw-events-screen.tsx")).RawEventsScreen,
);
const HowReadScreen = lazyScreen(
  async () => (await import("./screens/how-read/how-read-screen.tsx")).HowReadScreen,
);
const SqlScreen = lazyScreen(async () => (await import("./screens/sql/sql-screen.tsx")).SqlScreen);
const AllSqlScreen = lazyScreen(async () => (await import("./screens/sql/all-sql-screen.tsx")).AllSqlScreen);
const LibraryScreen = lazyScreen(
  async () => (await import("./screens/captures/library/library-screen.tsx")).LibraryScreen,
);
const LiveScreen = lazyScreen(async () => (await import("./screens/live/live-screen.tsx")).LiveScreen);
const GuideScreen = lazyScreen(async () => (await import("./screens/captures/guide-screen.tsx")).GuideScreen);
const HelpScreen = lazyScreen(async () => (await import("./screens/help/help-screen.tsx")).HelpScreen);
const VerdictsScreen = lazyScreen(
  async () => (await import("./screens/captures/verdicts-screen.tsx")).VerdictsScreen,
);
const StatusScreen = lazyScreen(
  async () => (await import("./screens/status/status-screen.tsx")).StatusScreen,
);
const FleetScreen = lazyScreen(async () => (await import("./screens/fleet/fleet-screen.tsx")).FleetScreen);
const WatchesScreen = lazyScreen(
  async () => (await import("./screens/watches/watches-screen.tsx")).WatchesScreen,
);
const WatchScreen = lazyScreen(async () => (await import("./screens/watches/watch-screen.tsx")).WatchScreen);
const AttachScreen = lazyScreen(
  async () => (await import("./screens/live/attach/attach-screen.tsx")).AttachScreen,
);
const WatchEditScreen = lazyScreen(
  async () => (await import("./screens/watches/edit/watch-edit-screen.tsx")).WatchEditScreen,
);

/** Screens of an analyzed capture. */
const SCREENS: Readonly<Record<CaptureTab, LazyScreen>> = {
  overview: OverviewScreen,
  timeline: TimelineScreen,
  sequence: SequenceScreen,
  distribution: DistributionScreen,
  waiting: WaitingScreen,
  compare: CompareScreen,
  "what-if": WhatIfScreen,
  "raw-events": RawEventsScreen,
  sql: SqlScreen,
  "how-read": HowReadScreen,
};

/** Loads the scripts of a capture's screens while the browser is idle, so that they are available without network. */
function useScreensAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { loadAhead } of Object.values(SCREENS)) loadAhead();
    }, AHEAD_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** After this time a page has its first picture, ms. */
const AHEAD_MS = 4_000;

/** Tab and screen for the part of an address after a capture or a link; undefined for an unknown part. */
function tabOf(part: string | undefined): { tab: CaptureTab; Screen: LazyScreen } | undefined {
  if (part === undefined) return { tab: "overview", Screen: SCREENS.overview };
  const tab = (Object.keys(SCREENS) as CaptureTab[]).find((name) => name === part && name !== "overview");
  return tab && { tab, Screen: SCREENS[tab] };
}

/** The product, under the path that a proxy uses for it. */
export function App(): ReactNode {
  return (
    <Router {...ROUTING}>
      <HasGuide value={true}>
        <Routes />
      </HasGuide>
    </Router>
  );
}

/** Routes of the product, and the theme that every one of them has. */
function Routes(): ReactNode {
  const [location] = useLocation();
  useAppliedTheme();
  useScreensAhead();
  return (
    <ScreenBoundary isPage resetKeys={[location]}>
      <TermTip />
      <AccessGate>
        <Switch>
          <Route path="/">
            <UploadsScreen />
          </Route>
          <Route path="/captures">
            <LibraryScreen />
          </Route>
          <Route path="/captures/:id/:tab?">
            {({ id, tab }) => {
              const shown = tabOf(tab);
              return shown === undefined ? <NoSuchPage /> : <CapturePage key={id} id={id} {...shown} />;
            }}
          </Route>
          <Route path="/l/:id/:tab?">
            {({ id, tab }) => {
              const shown = tabOf(tab);
              return shown === undefined ? <NoSuchPage /> : <LinkPage key={id} id={id} {...shown} />;
            }}
          </Route>
          <Route path="/guide">
            <GuideScreen />
          </Route>
          <Route path="/help/:page?/:section?">
            {({ page, section }) => <HelpScreen page={page} section={section} />}
          </Route>
          <Route path="/verdicts/:ids">
            {({ ids }) => <VerdictsScreen key={ids} ids={ids.split(",")} />}
          </Route>
          <Route path="/fleet">
            <FleetScreen />
          </Route>
          <Route path="/watches/new">
            <WatchEditScreen id={null} />
          </Route>
          <Route path="/watches/:id/edit">{({ id }) => <WatchEditScreen key={id} id={id} />}</Route>
          <Route path="/watches">
            <WatchesScreen />
          </Route>
          <Route path="/watches/:id">{({ id }) => <WatchScreen key={id} id={id} />}</Route>
          <Route path="/sql">
            <AllSqlScreen />
          </Route>
          <Route path="/status">
            <StatusScreen />
          </Route>
          {/* Earlier address of the status screen. */}
          <Route path="/audit">
            <Redirect to="/status" replace />
          </Route>
          <Route path="/live">
            <AttachScreen />
          </Route>
          <Route path="/live/:id">{({ id }) => <LiveScreen key={id} id={id} />}</Route>
          <Route>
            <NoSuchPage />
          </Route>
        </Switch>
      </AccessGate>
    </ScreenBoundary>
  );
}

function NoSuchPage(): ReactNode {
  return (
    <Page title={texts.noSuchPage}>
      <Message title={texts.thereIsNoPage} detail={texts.checkTheLink} />
    </Page>
  );
}
