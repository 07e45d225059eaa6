import { join } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import type { DocumentStore } from '../../ports'
import { writeLastGood } from './last-good'

/** What `conf` and `electron-store` have in common; both keep their whole content as one object. */
type ConfLike = { readonly path: string; store: Record<string, unknown> }

/** Options under which `conf` and `electron-store` write the same file: readable by its owner only. */
export const DOCUMENT_OPTIONS = {
  clearInvalidConfig: false,
  accessPropertiesByDotNotation: false,
  configFileMode: 0o600,
} as const

/** Version of the settings file that is read and written. */
export const DOCUMENT_VERSION = 1

/** Name of the settings file in the profile folder, without `.json`. */
export const DOCUMENT_NAME = 'settings'

/** Path of the settings file of a profile folder. */
export function documentFile(profileDir: string): string {
  return join(profileDir, `${DOCUMENT_NAME}.json`)
}

/** The settings document over an open store; writing anything but an object throws an `AppError`. */
export function documentOverConf(conf: ConfLike): DocumentStore {
  return {
    file: conf.path,
    read: () => {
      const content = conf.store
      return Object.keys(content).length === 0 ? null : content
    },
    write: (document) => {
      if (!isJsonObject(document)) {
        throw new AppError('INTERNAL', 'The settings couldn’t be saved: they aren’t an object.')
      }
      conf.store = document
      writeLastGood(conf.path, JSON.stringify(document, undefined, '\t'))
    },
  }
}
