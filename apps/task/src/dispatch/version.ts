/** Comparable versions: numbers separated by dots, as in the contract's version range. */
const comparable = `'^\\d{1,9}(\\.\\d{1,9}){0,7}$'`;

/** SQL: whether a version can be compared; never null. */
export const isVersionSql = (version: string): string => `(coalesce(${version}, '') ~ ${comparable})`;

/** SQL: a version as its eight numbers, so that 2.4 equals 2.4.0 and is less than 2.10; null without numbers. */
export const versionSql = (version: string): string =>
  `case when ${isVersionSql(version)} then (string_to_array(${version} || repeat('.0', 7), '.'))[1:8]::int[] end`;

/** SQL: whether two versions are the same: by their numbers, or as texts when one of them cannot be compared. */
export const isSameVersionSql = (a: string, b: string): string =>
  `coalesce(${versionSql(a)} = ${versionSql(b)}, ${a} is not distinct from ${b})`;

/** SQL: whether `version` is between the two others, both included; null when it cannot be compared. */
export const isBetweenSql = (version: string, from: string, to: string): string =>
  `(
    case when ${isVersionSql(version)} then
      ${versionSql(version)} between ${versionSql(from)} and ${versionSql(to)} end
  )`;
