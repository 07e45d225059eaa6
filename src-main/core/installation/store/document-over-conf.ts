import { join } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import type { DocumentStore } from '../../ports'
import { writeLastGood } from './last-good'

/** The common part of `conf` and `electron-store`; both keep their whole content as one object. */
type ConfLike = { readonly path: string; store: Record<string, unknown> }

/** Options for writing the same file with `conf` and `electron-store`: readable by its owner only. */
export const DOCUMENT_OPTIONS = {
  clearInvalidConfig: false,
  accessPropertiesByDotNotation: false,
  configFileMode: 0o600,
} as const

/** Version of the settings file format. */
export const DOCUMENT_VERSION = 1

/** Name of the settings file in the profile folder, without `.json`. */
export const DOCUMENT_NAME = 'settings'

/** Returns the path of a profile folder's settings file. */
export function documentFile(profileDir: string): string {
  return join(profileDir, `${DOCUMENT_NAME}.json`)
}

/** Wraps an open store as the settings document; writing anything except an object throws an `AppError`. */
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
