import * as z from 'zod'

/** Network state in addition to the settings. It never contains a password. */
export const NetworkView = z.object({
  /** The proxy source of the system: an environment variable, the desktop's per-address answer, or none. */
  system: z.enum(['environment', 'desktop', 'none']),
  /**
   * The proxy's password. `other`: saved for another address or user name, and not used. `lost`: no longer in the secret store. `unread`:
   * the secret store could not be read.
   */
  password: z.enum(['none', 'saved', 'other', 'lost', 'unread']),
  /** In the order of the settings; `problem` says in a sentence why nothing of a file is trusted. */
  certificates: z.array(
    z.object({
      path: z.string(),
      /** Number of certificates in the file. */
      count: z.number().int(),
      problem: z.string().optional(),
    }),
  ),
})
export type NetworkView = z.infer<typeof NetworkView>

/** Message at a running server whose network settings were changed. */
export const NETWORK_CHANGED = 'Network settings changed.'
