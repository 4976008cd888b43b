"""Files and labels: what data is made of, and data sets to see the theory on."""
