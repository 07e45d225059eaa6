import * as z from 'zod'

/** How the network is reached, beside what the settings say of it. No part of it holds a password. */
export const NetworkView = z.object({
  /** What the system names where it is asked: the proxy of an environment variable, the desktop for each address, or none. */
  system: z.enum(['environment', 'desktop', 'none']),
  /**
   * The proxy's password. `other`: it was given for another address or user name and is not used; `lost`: it is no longer
   * where secrets are kept; `unread`: they could not be read.
   */
  password: z.enum(['none', 'saved', 'other', 'lost', 'unread']),
  /** In the order of the settings; `problem` says why nothing of a file is trusted, a sentence. */
  certificates: z.array(
    z.object({
      path: z.string(),
      /** How many it holds. */
      count: z.number().int(),
      problem: z.string().optional(),
    }),
  ),
})
export type NetworkView = z.infer<typeof NetworkView>

/** What is noted at a running server whose way to the network was changed. */
export const NETWORK_CHANGED = 'Network settings changed.'
