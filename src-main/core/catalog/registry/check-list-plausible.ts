import type { RegistryFault } from '../../../../src-shared/domain/catalog/catalog-sync'
import { faultOf } from './registry-fault'

/** Lists up to this length may lose most of their servers at once. */
const SHORT_LIST = 20

/** A list that came to its end: how many of the servers held it has and lacks, and what became of its entries. */
export type WholeList = {
  readonly seen: number
  readonly unseen: number
  readonly readable: number
  readonly leftOut: number
}

/**
 * Why such a list is not believed; `before` is how the last sync ended. One that lost most of its servers is
 * believed when it says so twice in a row.
 */
export function checkListPlausible(
  { seen, unseen, readable, leftOut }: WholeList,
  before: RegistryFault | undefined,
  baseUrl: string,
): RegistryFault | undefined {
  if (seen === 0 && unseen > 0 && readable === 0) {
    return leftOut === 0
      ? faultOf(baseUrl, 'empty-list', 'The registry at {address} returned an empty list.')
      : faultOf(
          baseUrl,
          'unreadable-list',
          'The registry at {address} returned no readable servers.',
        )
  }
  const held = seen + unseen
  const isWhole = held <= SHORT_LIST || unseen <= seen
  if (isWhole || before?.code === 'shrunken-list') return undefined
  return faultOf(
    baseUrl,
    'shrunken-list',
    `The registry at {address} returned only ${seen} of ${held} servers.`,
  )
}
