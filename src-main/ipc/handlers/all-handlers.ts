import type { Handlers } from '../answer'
import { agentHandlers, type AgentParts } from './agent-handlers'
import { appHandlers, type AppParts } from './app-handlers'
import { catalogHandlers, type CatalogParts } from './catalog-handlers'
import { historyHandlers, type HistoryParts } from './history-handlers'
import { hostHandlers, type HostParts } from './host-handlers'
import { metricsHandlers, type MetricsParts } from './metrics-handlers'
import { networkHandlers, type NetworkParts } from './network-handlers'
import { questionHandlers, type QuestionParts } from './question-handlers'
import { removalHandlers, type RemovalParts } from './removal-handlers'
import { bundleHandlers, type BundleParts } from './servers/bundle-handlers'
import { configurationHandlers, type ConfigurationParts } from './servers/configuration-handlers'
import { customServerHandlers, type CustomServerParts } from './servers/custom-server-handlers'
import { installationHandlers, type InstallationParts } from './servers/installation-handlers'
import { launchHandlers, type LaunchParts } from './servers/launch-handlers'
import { runnerHandlers, type RunnerParts } from './servers/runner-handlers'
import { secretHandlers, type SecretParts } from './servers/secret-handlers'
import { serverHandlers, type ServerParts } from './servers/server-handlers'
import { updateHandlers, type UpdateParts } from './servers/update-handlers'
import { signInHandlers, type SignInParts } from './sign-in-handlers'
import { toolHandlers, type ToolParts } from './tool-handlers'
import { toolRunHandlers, type ToolRunParts } from './tool-run-handlers'

/** What the handlers work with, all together. */
export type HandlerParts = AgentParts &
  AppParts &
  BundleParts &
  CustomServerParts &
  CatalogParts &
  ConfigurationParts &
  MetricsParts &
  HistoryParts &
  HostParts &
  InstallationParts &
  LaunchParts &
  NetworkParts &
  QuestionParts &
  RemovalParts &
  RunnerParts &
  SecretParts &
  ServerParts &
  SignInParts &
  ToolParts &
  ToolRunParts &
  UpdateParts

/** The answer to every request of the contract. */
export function allHandlers(parts: HandlerParts): Handlers {
  return {
    ...agentHandlers(parts),
    ...appHandlers(parts),
    ...bundleHandlers(parts),
    ...customServerHandlers(parts),
    ...catalogHandlers(parts),
    ...configurationHandlers(parts),
    ...historyHandlers(parts),
    ...hostHandlers(parts),
    ...removalHandlers(parts),
    ...updateHandlers(parts),
    ...launchHandlers(parts),
    ...networkHandlers(parts),
    ...installationHandlers(parts),
    ...secretHandlers(parts),
    ...serverHandlers(parts),
    ...signInHandlers(parts),
    ...metricsHandlers(parts),
    ...runnerHandlers(parts),
    ...toolHandlers(parts),
    ...toolRunHandlers(parts),
    ...questionHandlers(parts),
  }
}
