import * as z from 'zod'

import { RunStatus } from './run-status'

/** A process of a server that not all apps share, or a session of a remote server. */
export const InstanceView = z.object({
  /** Unique for its server while the app runs. */
  instanceId: z.number().int(),
  /** The user's name of the app that uses it. */
  agent: z.string(),
  /** Whether only one session of the app uses it. */
  isOfSession: z.boolean(),
  pid: z.number().optional(),
  status: z.enum(RunStatus.options.map((one) => one.shape.kind.value)),
  /** Epoch ms. */
  startedAt: z.number(),
})
export type InstanceView = z.infer<typeof InstanceView>
