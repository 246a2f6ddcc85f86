"""Runs SQL in chdb, the ClickHouse engine in a process.

Standard input: a JSON list of statements. Standard output: a JSON list of what each gave, as lists of rows.
"""

import json
import sys

from chdb import session


def main() -> None:
    statements = json.load(sys.stdin)
    database = session.Session()
    results = []
    for statement in statements:
        try:
            text = str(database.query(statement, "JSONEachRow"))
        except Exception as error:  # chdb raises no type of its own
            sys.exit(f"{statement[:2000]}\n{error}")
        results.append([json.loads(line) for line in text.splitlines() if line.strip()])
    json.dump(results, sys.stdout)


main()
