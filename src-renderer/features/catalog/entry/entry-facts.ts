import { useMemo } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import { type Offer, offerId, type OfferRef } from '../../../../src-shared/domain/server-json/offer'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import type { FormField } from '../../../../src-shared/form/form-field'
import { RUNNER_OPTIONS } from '../../../../src-shared/form/runner-options'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import { type Request, useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { formatDay, visibleText } from '../../../ui/text/format'
import { type OfferView, viewsOf, viewToSetUp } from './offer-messages'

/** The name to show: the title, or the last part of the registry name. */
export function entryTitle({ title = '', name }: Pick<ServerJson, 'title' | 'name'>): string {
  return visibleText(title.trim() === '' ? (name.split('/').at(-1) ?? name) : title.trim())
}

/** What an entry is no longer, and since when where its registry says that: `Deprecated since Nov 3, 2026.` */
export function statusTitle(props: Pick<CatalogEntry, 'status' | 'statusChangedAt'>): string {
  const { status, statusChangedAt = '' } = props
  const word = status === 'deleted' ? 'Deleted' : 'Deprecated'
  const at = Date.parse(statusChangedAt)
  return Number.isNaN(at) ? `${word}.` : `${word} since ${formatDay(at)}.`
}

/** Why an entry cannot be set up, in one sentence, where `view` is the best of its offers; undefined when it can. */
export function entryObstacle(view: OfferView | undefined): string | undefined {
  if (view) return view.obstacle
  return 'The registry lists no package or address for this server. See the publisher’s page for instructions.'
}

/** What an offer asks for. */
export type Asks = {
  readonly fields: readonly FormField[]
  readonly required: readonly FormField[]
  readonly secrets: readonly FormField[]
  readonly paths: readonly FormField[]
}

/** The fields of an offer by what they mean for the reader. */
export function asksOf(offer: Offer): Asks {
  const fields = fieldsOfOffer(offer).filter(({ key }) => key !== RUNNER_OPTIONS)
  return {
    fields,
    required: fields.filter(({ required }) => required),
    secrets: fields.filter(({ secret }) => secret),
    paths: fields.filter(({ control }) => control === 'path'),
  }
}

/** Names in a row, at most four of them. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).map((name) => visibleText(name))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

/** Where an entry is set up by the offer that was chosen, or else by the best one for this computer, and why it cannot be. */
export function setUpOf(
  { entryId, server }: Pick<CatalogEntry, 'entryId' | 'server'>,
  machine: Machine,
  chosen?: OfferRef,
): { readonly path: string; readonly obstacle: string | undefined } {
  const view = viewToSetUp(viewsOf(server, machine), chosen)
  return { path: view ? setupPath(entryId, view.ref) : '', obstacle: entryObstacle(view) }
}

/** Where an entry is set up. */
export function setupPath(entryId: string, offer: OfferRef): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}`
}

function useFound(asking: { readonly stays?: boolean }): Request<readonly RunnerName[]> {
  const paths = useApp((state) => state.app?.settings.runnerPaths)
  return useRequest('runner.find', {}, { ...asking, state: [JSON.stringify(paths ?? {})] })
}

/** The computer that servers run on. */
export function useMachine(): Machine {
  const platform = useApp((state) => state.app?.info.platform) ?? ''
  const arch = useApp((state) => state.app?.info.arch)
  const runners = useRunners()
  return useMemo(() => ({ platform, arch, runners }), [platform, arch, runners])
}

/** The runners that were found; undefined while nobody knows, when any may be there: a start looks for its runner itself and says what is missing. */
export function useRunners(): readonly RunnerName[] | undefined {
  return useFound({ stays: true }).value
}

/** Looks for the runners once, and again when a path of theirs is set. */
export function useFindRunners(): void {
  useFound({})
}
