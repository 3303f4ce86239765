/** Words of SQL that are coloured and suggested. */
export const SQL_KEYWORDS: readonly string[] = [
  ..."SELECT FROM WHERE GROUP BY ORDER LIMIT OFFSET JOIN LEFT INNER ON USING AND OR NOT IN IS NULL AS DISTINCT".split(
    " ",
  ),
  ..."CASE WHEN THEN ELSE END LIKE ILIKE BETWEEN EXISTS UNION ALL HAVING WITH ASC DESC TRUE FALSE INTERVAL".split(" "),
  ..."OVER PARTITION EXCEPT INTERSECT CROSS FULL RIGHT OUTER CAST FILTER QUALIFY UNNEST LATERAL".split(" "),
];

/** Functions that are suggested. */
export const SQL_FUNCTIONS: readonly string[] = [
  ..."count sum min max avg median mode string_agg list coalesce lower upper length round".split(" "),
  ..."date_trunc now strftime regexp_matches regexp_extract json_extract json_extract_string unnest".split(" "),
];
