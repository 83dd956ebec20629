/** What can be compared: numbers between dots, as the contract's version range has them. */
const comparable = `'^\\d{1,9}(\\.\\d{1,9}){0,7}$'`;

/** SQL: whether a version can be compared; not null. */
export const isVersionSql = (version: string): string => `(coalesce(${version}, '') ~ ${comparable})`;

/** SQL: a version as its eight numbers, so that 2.4 is 2.4.0 and less than 2.10; null of what has none. */
export const versionSql = (version: string): string =>
  `case when ${isVersionSql(version)} then (string_to_array(${version} || repeat('.0', 7), '.'))[1:8]::int[] end`;
