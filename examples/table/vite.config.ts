import { defineConfig } from "vite";

// The same source gives the same bytes, so that what is committed can be compared with what it is built from.
export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "../../service/table/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // no data: addresses; the policy of the page allows none
    modulePreload: { polyfill: false },
  },
  // `npm run dev` talks to the service of `make run`.
  server: { proxy: { "/v1": "http://127.0.0.1:8080" } },
});
