/** How the user wants the network to be reached; another object each time that anything of it is another. */
export type NetworkRule = {
  /** `named`: its address with the name and password that it asks for; empty where none was entered yet. */
  readonly proxy:
    | { readonly kind: 'system' | 'none' }
    | { readonly kind: 'named'; readonly address: string }
  /** What is reached without a proxy, as `NO_PROXY` lists it. */
  readonly withoutProxy: string
  /** Trusted besides what the system trusts, each as PEM. */
  readonly certificates: readonly string[]
}

/** What the system has, and nothing beside it. */
export const SYSTEM_RULE: NetworkRule = {
  proxy: { kind: 'system' },
  withoutProxy: '',
  certificates: [],
}
