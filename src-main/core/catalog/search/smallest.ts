const LEAST_KEPT = 500

/** The smallest of many numbers, in their order: nearly all of them are only compared with the largest of these. */
export function smallest(numbers: Float64Array, count: number): Float64Array {
  const kept = new Float64Array(2 * count + LEAST_KEPT)
  let size = 0
  let largest = Number.POSITIVE_INFINITY
  for (const number of numbers) {
    if (number >= largest) continue
    kept[size] = number
    size += 1
    if (size < kept.length) continue
    kept.sort()
    size = count
    largest = kept[count - 1] ?? largest
  }
  return kept.subarray(0, size).sort().subarray(0, count)
}
