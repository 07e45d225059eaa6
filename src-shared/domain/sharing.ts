import * as z from 'zod'

/** Who shares a process of a server, or a session of a remote one (B12): all apps, the sessions of one app, or nobody. */
export const Sharing = z.enum(['shared', 'perApp', 'perSession'])
export type Sharing = z.infer<typeof Sharing>
