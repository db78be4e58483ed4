// Command peer is the Go function that zonecast is measured against: it sets the zone
// nodeSelector in the template of each Deployment, and nothing else. It is the least that a
// function on the Go SDK can do, so its time is what that SDK costs.
package main

import (
	"os"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

const zoneKey = "topology.kubernetes.io/zone"

// pin sets the zone from the functionConfig's spec.zone in every Deployment of the list.
func pin(rl *fn.ResourceList) (bool, error) {
	zone, found, err := rl.FunctionConfig.NestedString("spec", "zone")
	if err != nil {
		return false, err
	}
	if !found {
		return false, fn.ErrMissingFnConfig{}
	}
	for _, item := range rl.Items {
		if !item.IsGVK("apps", "", "Deployment") {
			continue
		}
		err := item.SetNestedString(zone, "spec", "template", "spec", "nodeSelector", zoneKey)
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

func main() {
	if err := fn.AsMain(fn.ResourceListProcessorFunc(pin)); err != nil {
		os.Exit(1)
	}
}
