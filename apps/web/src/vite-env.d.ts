/// <reference types="vite/client" />

/** Pages of the guide, as data (`guide-plugin.ts`). */
declare module "virtual:guide" {
  const pages: readonly import("./screens/help/guide-pages.ts").GuidePage[];
  export default pages;
}
