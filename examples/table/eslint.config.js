import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules", "src/api/contract.ts", "eslint.config.js"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-explicit-any": "error",
      "no-restricted-properties": ["error", { property: "innerHTML", message: "what others wrote stays text" }],
    },
  },
);
