//go:build tools

package main

import (
	_ "github.com/helm-unittest/helm-unittest/cmd/helm-unittest"
	_ "github.com/yannh/kubeconform/cmd/kubeconform"
	_ "helm.sh/helm/v3/cmd/helm"
)
