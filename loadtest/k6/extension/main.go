// k6 with the MQTT module of this folder; built by loadtest/k6/build.ts.
package main

import (
	"go.k6.io/k6/cmd"

	_ "carillon.dev/k6/mqtt"
)

func main() { cmd.Execute() }
