/** By the names of their tools: the schema, arguments that fit it, and some that do not; `bad` is missing where all fit. */
export declare const AWKWARD: Readonly<
  Record<string, { readonly schema: unknown; readonly good: unknown; readonly bad?: unknown }>
>
