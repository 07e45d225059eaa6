import ElectronStore from 'electron-store'

import {
  DOCUMENT_NAME,
  DOCUMENT_OPTIONS,
  documentOverConf,
} from '../core/installation/store/document-over-conf'
import type { DocumentStore } from '../core/ports'

/** The settings file of a profile on the desktop; throws if the file isn't JSON. */
export function openElectronDocumentStore(profileDir: string): DocumentStore {
  return documentOverConf(
    new ElectronStore<Record<string, unknown>>({
      ...DOCUMENT_OPTIONS,
      cwd: profileDir,
      name: DOCUMENT_NAME,
    }),
  )
}
