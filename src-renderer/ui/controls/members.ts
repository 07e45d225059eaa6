/** Returns the members with one appended, or without it. */
export function withMember<T>(members: Iterable<T>, member: T, isIn: boolean): T[] {
  const others = [...members].filter((one) => one !== member)
  return isIn ? [...others, member] : others
}
