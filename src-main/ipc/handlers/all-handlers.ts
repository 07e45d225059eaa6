import type { Handlers } from '../answer'
import { appHandlers, type AppParts } from './app-handlers'
import { bundleHandlers, type BundleParts } from './bundle-handlers'
import { byHandHandlers, type ByHandParts } from './by-hand-handlers'
import { catalogHandlers, type CatalogParts } from './catalog-handlers'
import { configurationHandlers, type ConfigurationParts } from './configuration-handlers'
import { installationHandlers, type InstallationParts } from './installation-handlers'
import { launchHandlers, type LaunchParts } from './launch-handlers'
import { runnerHandlers, type RunnerParts } from './runner-handlers'
import { secretHandlers, type SecretParts } from './secret-handlers'
import { serverHandlers, type ServerParts } from './server-handlers'
import { updateHandlers, type UpdateParts } from './update-handlers'

/** What the handlers work with, all together. */
export type HandlerParts = AppParts &
  BundleParts &
  ByHandParts &
  CatalogParts &
  ConfigurationParts &
  InstallationParts &
  LaunchParts &
  RunnerParts &
  SecretParts &
  ServerParts &
  UpdateParts

/** The answer to every request of the contract. */
export function allHandlers(parts: HandlerParts): Handlers {
  return {
    ...appHandlers(parts),
    ...bundleHandlers(parts),
    ...byHandHandlers(parts),
    ...catalogHandlers(parts),
    ...configurationHandlers(parts),
    ...updateHandlers(parts),
    ...launchHandlers(parts),
    ...installationHandlers(parts),
    ...secretHandlers(parts),
    ...serverHandlers(parts),
    ...runnerHandlers(parts),
  }
}
