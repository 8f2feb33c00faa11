import fc from "fast-check";
import { expect, test } from "vitest";
import { readComponent } from "./components.ts";

const IO = `<ioSubsystem ioLatchTimeouts="2" intervalLongIos="5" totalLongIos="19"><longestPendingRequests>
<pendingRequest duration="15800" filePath="\\\\?\\F:\\Log\\Sales.ldf" offset="7168" handle="0x1a"/>
<pendingRequest duration="21000" filePath="" offset="0" handle="0x1b"/>
</longestPendingRequests></ioSubsystem>`;

const QUERY = `<queryProcessing maxWorkers="512" workersCreated="67" workersIdle="25" tasksCompletedWithinInterval="23" pendingTasks="3" oldestPendingTaskWaitingTime="1500" hasUnresolvableDeadlockOccurred="0" hasDeadlockedSchedulersOccurred="1" trackingNonYieldingScheduler="0x4fedb840040">
<pendingTasks><entryPoint name="TDS" count="3"/></pendingTasks>
<blockingTasks><blocked-process-report monitorLoop="1"><blocked-process><process><inputbuf>SELECT secret</inputbuf></process></blocked-process></blocked-process-report></blockingTasks></queryProcessing>`;

const RESOURCE = `<resource lastNotification="RESOURCE_MEMPHYSICAL_LOW" outOfMemoryExceptions="1" isAnyPoolOutOfMemory="0" processOutOfMemoryPeriod="0"><memoryReport name="Process/System Counts" unit="Value"><entry description="Available Physical Memory" value="523055104"/></memoryReport></resource>`;

test("io_subsystem counts requests over 15 s, and names those that were waiting, longest first", () => {
  expect(readComponent("IO_SUBSYSTEM", IO)).toEqual({
    component: "io_subsystem",
    ioLatchTimeouts: 2,
    intervalLongIos: 5,
    totalLongIos: 19,
    pending: [
      { path: null, durationMs: 21_000 },
      { path: "\\\\?\\F:\\Log\\Sales.ldf", durationMs: 15_800 },
    ],
  });
});

test("query_processing has pending tasks and no statement", () => {
  const found = readComponent("query_processing", QUERY);
  expect(found).toEqual({
    component: "query_processing",
    maxWorkers: 512,
    workersCreated: 67,
    workersIdle: 25,
    tasksCompleted: 23,
    pendingTasks: 3,
    oldestPendingTaskMs: 1500,
    hasUnresolvableDeadlock: false,
    hasDeadlockedSchedulers: true,
    hasNonYieldingScheduler: true,
    blockedTasks: 1,
  });
  const calm = readComponent("query_processing", QUERY.replace("0x4fedb840040", "0x0"));
  expect(calm).toMatchObject({ hasNonYieldingScheduler: false });
});

test("resource has the last notification about memory", () => {
  expect(readComponent("resource", RESOURCE)).toEqual({
    component: "resource",
    lastNotification: "RESOURCE_MEMPHYSICAL_LOW",
    outOfMemoryExceptions: 1,
    isAnyPoolOutOfMemory: false,
    availablePhysicalBytes: 523_055_104,
  });
});

test("another component, another element and too much XML are nothing", () => {
  expect(readComponent("events", "<events/>")).toBeNull();
  expect(readComponent("io_subsystem", QUERY)).toBeNull();
  expect(readComponent("resource", "")).toBeNull();
  expect(readComponent("io_subsystem", IO + " ".repeat(5e6))).toBeNull();
});

test("missing and damaged counts are no numbers, and no payload is an error", () => {
  expect(readComponent("io_subsystem", '<ioSubsystem intervalLongIos="-1"')).toBeNull();
  expect(readComponent("io_subsystem", '<ioSubsystem intervalLongIos="-1"/>')).toMatchObject({
    intervalLongIos: Number.NaN,
    totalLongIos: Number.NaN,
    pending: [],
  });
  fc.assert(
    fc.property(fc.constantFrom(IO, QUERY, RESOURCE), fc.nat(900), fc.nat(900), (xml, from, end) => {
      for (const name of ["io_subsystem", "query_processing", "resource"])
        readComponent(name, xml.slice(0, from) + xml.slice(end));
    }),
  );
  expect(readComponent("io_subsystem", "<a>".repeat(100_000))).toBeNull();
});
