import * as z from 'zod'

import {
  SecretText,
  StoredSecretId,
  StoredSecretName,
} from '../../domain/installation/stored-secret'
import type { RequestChannel } from '../channels'
import type { Shapes } from './refs'
import { ServerRef } from './refs'

const SecretRef = z.object({ secretId: StoredSecretId })

/** The stored secrets that several servers can use. */
export const secretRequests = {
  /** Stores a secret that several servers can use. Rejects with NAME_TAKEN or SECRET_STORE_FAILED, as the others do. */
  'secret.create': {
    input: z.object({ name: StoredSecretName, value: SecretText }),
    output: SecretRef,
  },
  'secret.rename': { input: SecretRef.extend({ name: StoredSecretName }), output: z.void() },
  /** A new value; servers that use it and run get it when they are restarted, and say so until then. */
  'secret.rotate': { input: SecretRef.extend({ value: SecretText }), output: z.void() },
  /** Rejects with SECRET_IN_USE unless `evenIfUsed`. */
  'secret.remove': { input: SecretRef.extend({ evenIfUsed: z.boolean() }), output: z.void() },
  /** Makes a stored secret of one that a server has for itself, without asking for it again. */
  'secret.share': {
    input: ServerRef.extend({ fieldKey: z.string().max(400), name: StoredSecretName }),
    output: SecretRef,
  },
  /** The stored secrets that have no value where secrets are kept now, as with another keychain. */
  'secret.findEmpty': { input: z.object({}), output: z.array(StoredSecretId) },
} satisfies Partial<Record<RequestChannel, Shapes>>
